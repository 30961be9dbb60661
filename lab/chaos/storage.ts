/**
 * The long form of test/robustness/kill-move.test.ts: moves objects from the disk to an S3 store and back, and kills
 * the mover at random, while everything is read and some of it is replaced and removed. Writes
 * bench/results/chaos-storage.md. Ctrl-C stops after the current round; the same command continues.
 */
import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { runStorageChaos, type StorageChaosResult } from '../../test/support/chaos-storage.js'
import { startTestPostgres } from '../../test/support/postgres.js'
import { circumstances, openLongRun, publishResult } from '../long-run.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    objects: { type: 'string', default: '1000' },
    fresh: { type: 'boolean', default: false },
  },
})
const file = new URL('../../bench/results/chaos-storage.md', import.meta.url)
const wanted = Number(values.kills)
const objects = Number(values.objects)
const killsInRound = 100

const run = await openLongRun('chaos-storage', 'rounds', values.fresh, () => ({
  rounds: [] as StorageChaosResult[],
}))
const { rounds } = run.state
const sum = (count: (round: StorageChaosResult) => number) =>
  rounds.reduce((all, round) => all + count(round), 0)
const killed = ({ kills }: StorageChaosResult) => kills
if (run.isContinued) console.log(`Continues after ${sum(killed)} kills.`)
const postgres = await startTestPostgres()
process.env.TEST_POSTGRES = JSON.stringify(postgres.connection)
while (sum(killed) < wanted && !run.isStopped()) {
  const kills = Math.min(killsInRound, wanted - sum(killed))
  const options = { kills, objects, longestLifeMs: 1000, random: Math.random, report: console.log }
  rounds.push(await runStorageChaos(options))
  await run.save()
  console.log(`${sum(killed)} of ${wanted} kills`)
}
await postgres.stop()
await rm(postgres.folder, { recursive: true, force: true })
const wrong = rounds.flatMap(({ missing, wrong, returned, leftOver }) =>
  [missing, wrong, returned, leftOver].flat(),
)
if (rounds.length > 0) await publishResult(file, page(), wrong)
if (sum(killed) >= wanted) await run.finish()

function page(): string {
  return [
    '# Films move through kill -9',
    '',
    `${circumstances(`npm run lab -- chaos-storage --kills ${wanted}`)}. ${objects} objects move from the disk`,
    'to an S3 store and back, and the process that moves them is killed with SIGKILL at random. Meanwhile four readers read',
    'random objects through both places and compare their digests, and a writer replaces and removes pictures.',
    '',
    '| | |',
    '|---|---:|',
    `| kills | ${sum(killed)} |`,
    `| complete moves | ${sum(({ moves }) => moves)} |`,
    `| objects read meanwhile | ${sum(({ reads }) => reads)} |`,
    `| objects replaced or removed meanwhile | ${sum(({ changes }) => changes)} |`,
    `| missing at any moment | ${sum(({ missing }) => missing.length)} |`,
    `| with wrong bytes at any moment | ${sum(({ wrong }) => wrong.length)} |`,
    `| removed and come back | ${sum(({ returned }) => returned.length)} |`,
    `| left in the old place after a move | ${sum(({ leftOver }) => leftOver.length)} |`,
    '',
  ].join('\n')
}
