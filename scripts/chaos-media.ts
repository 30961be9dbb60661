/**
 * The long form of test/robustness/kill-media.test.ts: `npm run chaos:media -- --kills 500` kills the server, its
 * worker, ffmpeg and PostgreSQL at random while films are uploaded, prepared and watched. Writes the outcome to
 * bench/results/chaos-media.md. A round ends after 50 kills or when its minutes are over: the script then audits all
 * films and starts a new server. Ctrl-C stops after the current round; the same command continues.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type MediaChaosResult, runMediaChaos } from '../test/support/chaos-media.js'
import { putFfmpegOnPath } from './ffmpeg-on-path.js'
import { circumstances, openLongRun } from './long-run.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '15' },
    fresh: { type: 'boolean', default: false },
  },
})
const file = new URL('../bench/results/chaos-media.md', import.meta.url)
const wanted = Number(values.kills)
const killsInRound = 50
await putFfmpegOnPath()

const run = await openLongRun('chaos-media', 'rounds', values.fresh, () => ({
  rounds: [] as MediaChaosResult[],
}))
const { rounds } = run.state
const killsOf = ({ kills }: MediaChaosResult) => Object.values(kills).reduce((sum, each) => sum + each, 0)
const done = () => rounds.reduce((sum, round) => sum + killsOf(round), 0)
if (run.isContinued) console.log(`Continues after ${done()} kills.`)
while (done() < wanted && !run.isStopped()) {
  const kills = Math.min(killsInRound, wanted - done())
  const round = await runMediaChaos({
    kills,
    uploads: Math.ceil(kills / 5),
    seconds: 10,
    longestMs: Number(values.minutes) * 60_000,
    random: Math.random,
    report: console.log,
  })
  rounds.push(round)
  await run.save()
  console.log(`${done()} of ${wanted} kills`)
}
const wrong = rounds.flatMap(({ lost, incomplete, broken, partial, orphans, stuckJobs }) =>
  [lost, incomplete, broken, partial, orphans, stuckJobs].flat(),
)
if (rounds.length > 0) {
  await mkdir(new URL('.', file), { recursive: true })
  await writeFile(file, page(rounds))
  console.log(`Wrote ${file.pathname}.`)
}
if (done() >= wanted) await run.finish()
for (const line of wrong) console.error(line)
if (wrong.length > 0) process.exitCode = 1

function page(rounds: readonly MediaChaosResult[]): string {
  const sum = (count: (round: MediaChaosResult) => number) =>
    rounds.reduce((all, round) => all + count(round), 0)
  const victims = ['server', 'worker', 'ffmpeg', 'PostgreSQL'] as const
  return [
    '# kill -9 while films come in',
    '',
    `${circumstances(`npm run chaos:media -- --kills ${wanted}`)}. Films are uploaded in one`,
    'request, in pieces (tus) and from an address, prepared, encoded and watched, while processes are killed with SIGKILL at random.',
    'Every 50 kills all films are looked at, and a new server begins.',
    '',
    '| | |',
    '|---|---:|',
    ...victims.map((victim) => `| kills of ${victim} | ${sum(({ kills }) => kills[victim])} |`),
    `| rounds | ${rounds.length} |`,
    `| uploads begun | ${sum(({ attempted }) => attempted)} |`,
    `| acknowledged | ${sum(({ acknowledged }) => acknowledged)} |`,
    `| acknowledged and lost | ${sum(({ lost }) => lost.length)} |`,
    `| not complete at the end | ${sum(({ incomplete }) => incomplete.length)} |`,
    `| tracks decoded whole, with every frame | ${sum(({ tracks, broken }) => tracks - broken.length)} |`,
    `| tracks that are not | ${sum(({ broken }) => broken.length)} |`,
    `| segments watched meanwhile | ${sum(({ served }) => served)} |`,
    `| of these, not whole | ${sum(({ partial }) => partial.length)} |`,
    `| files left over after the sweep | ${sum(({ orphans }) => orphans.length)} |`,
    `| jobs stuck | ${sum(({ stuckJobs }) => stuckJobs.length)} |`,
    '',
  ].join('\n')
}
