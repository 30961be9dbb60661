/**
 * The long form of test/robustness/kill.test.ts: kills the server, its PostgreSQL or both while videos are created.
 * Writes bench/results/chaos.md. Every 50 kills it counts everything and starts a new server. Ctrl-C stops after the
 * current round; the same command continues.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type ChaosResult, runChaos } from '../../test/support/chaos.js'
import { circumstances, openLongRun } from '../long-run.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    fresh: { type: 'boolean', default: false },
  },
})
const file = new URL('../../bench/results/chaos.md', import.meta.url)
const wanted = Number(values.kills)
const killsInRound = 50

const run = await openLongRun('chaos', 'rounds', values.fresh, () => ({ rounds: [] as ChaosResult[] }))
const { rounds } = run.state
const done = () => rounds.reduce((sum, { kills }) => sum + kills.length, 0)
if (run.isContinued) console.log(`Continues after ${done()} kills.`)
while (done() < wanted && !run.isStopped()) {
  const kills = Math.min(killsInRound, wanted - done())
  rounds.push(await runChaos({ kills, writers: 4, random: Math.random, report: console.log }))
  await run.save()
  console.log(`${done()} of ${wanted} kills`)
}
if (rounds.length > 0) {
  await mkdir(new URL('.', file), { recursive: true })
  await writeFile(file, page(rounds))
  console.log(`Wrote ${file.pathname}.`)
}
if (done() >= wanted) await run.finish()
if (!rounds.every(isSound)) {
  console.error('Something was lost, came twice or was miscounted.')
  process.exitCode = 1
}

function isSound({ lost, duplicated, counts }: ChaosResult): boolean {
  return lost.length === 0 && duplicated.length === 0 && new Set(Object.values(counts)).size === 1
}

function page(rounds: readonly ChaosResult[]): string {
  const kills = rounds.flatMap((round) => round.kills)
  const times = kills.map(({ ms }) => ms).sort((a, b) => a - b)
  const sum = (count: (round: ChaosResult) => number) => rounds.reduce((all, round) => all + count(round), 0)
  return [
    '# kill -9',
    '',
    `${circumstances(`npm run lab -- chaos --kills ${wanted}`)}. Four writers create videos without pause`,
    'while the server, its PostgreSQL or both are killed with SIGKILL at random. Every 50 kills everything is counted, and',
    'a new server begins.',
    '',
    '| | |',
    '|---|---:|',
    `| kills | ${kills.length} |`,
    `| rounds | ${rounds.length} |`,
    `| creations tried | ${sum(({ attempted }) => attempted)} |`,
    `| acknowledged (201) | ${sum(({ acknowledged }) => acknowledged)} |`,
    `| acknowledged and lost | ${sum(({ lost }) => lost.length)} |`,
    `| there twice | ${sum(({ duplicated }) => duplicated.length)} |`,
    `| rows | ${sum(({ counts }) => counts.rows)} |`,
    `| by \`pages\` | ${sum(({ counts }) => counts.byPages)} |`,
    `| by the sums of days | ${sum(({ counts }) => counts.bySums)} |`,
    `| by the sums of minutes | ${sum(({ counts }) => counts.byMinutes)} |`,
    `| by walking with a cursor | ${sum(({ counts }) => counts.byWalking)} |`,
    `| median recovery | ${times[Math.floor(times.length / 2)]} ms |`,
    `| longest recovery | ${times.at(-1)} ms |`,
    '',
    'Recovery is the time from the kill to the first video acknowledged after the last failed request; a killed server is',
    'started again at once. 0 ms: no request failed.',
    '',
    '| killed | times | median | longest |',
    '|---|---:|---:|---:|',
    ...(['server', 'PostgreSQL', 'both'] as const).map((victim) => {
      const taken = kills.filter((kill) => kill.victim === victim).map(({ ms }) => ms)
      taken.sort((a, b) => a - b)
      return `| ${victim} | ${taken.length} | ${taken[Math.floor(taken.length / 2)] ?? 0} ms | ${taken.at(-1) ?? 0} ms |`
    }),
    '',
  ].join('\n')
}
