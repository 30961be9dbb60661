/**
 * The long form of test/robustness/kill-nodes.test.ts: `npm run chaos:nodes -- --kills 200` runs two servers and two workers
 * that share a PostgreSQL and a bucket, and kills any of them, or an ffmpeg, while films are uploaded, watched and deleted.
 * Writes the outcome to bench/results/chaos-nodes.md. Every 50 kills the script audits all films and begins anew. Ctrl-C
 * stops after the current round; the same command continues.
 */
import { parseArgs } from 'node:util'
import { type NodeChaosResult, runNodeChaos } from '../test/support/chaos-nodes.js'
import { putFfmpegOnPath } from './ffmpeg-on-path.js'
import { circumstances, openLongRun, publishResult } from './long-run.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '20' },
    fresh: { type: 'boolean', default: false },
  },
})
const file = new URL('../bench/results/chaos-nodes.md', import.meta.url)
const wanted = Number(values.kills)
const killsInRound = 50
await putFfmpegOnPath()

const run = await openLongRun('chaos-nodes', 'rounds', values.fresh, () => ({
  rounds: [] as NodeChaosResult[],
}))
const { rounds } = run.state
const killed = ({ kills }: NodeChaosResult) => Object.values(kills).reduce((sum, each) => sum + each, 0)
const sum = (count: (round: NodeChaosResult) => number) =>
  rounds.reduce((all, round) => all + count(round), 0)
if (run.isContinued) console.log(`Continues after ${sum(killed)} kills.`)
while (sum(killed) < wanted && !run.isStopped()) {
  const kills = Math.min(killsInRound, wanted - sum(killed))
  const round = await runNodeChaos({
    kills,
    uploads: kills,
    seconds: 8,
    longestMs: Number(values.minutes) * 60_000,
    random: Math.random,
    report: console.log,
  })
  rounds.push(round)
  await run.save()
  console.log(`${sum(killed)} of ${wanted} kills`)
}
const wrong = rounds.flatMap(({ lost, incomplete, broken, partial, orphans, stuckJobs, returned }) =>
  [lost, incomplete, broken, partial, orphans, stuckJobs, returned].flat(),
)
if (rounds.length > 0) await publishResult(file, page(), wrong)
if (sum(killed) >= wanted) await run.finish()

function page(): string {
  return [
    '# kill -9 of any of several machines',
    '',
    `${circumstances(`npm run chaos:nodes -- --kills ${wanted}`)}. Two servers and two workers, each with a folder of its own,`,
    'share one PostgreSQL and one S3 store (s3rver), and nothing else. Films are uploaded in one request, in pieces (each piece to',
    'either server) and from an address, prepared, watched and deleted, while a server, a worker or an ffmpeg is killed with SIGKILL',
    'at random. Every 50 kills all films are looked at, and new servers begin.',
    '',
    '| | |',
    '|---|---:|',
    `| kills | ${sum(killed)} |`,
    ...(['server', 'worker', 'ffmpeg'] as const).map(
      (victim) => `| of them ${victim} | ${sum(({ kills }) => kills[victim])} |`,
    ),
    `| rounds | ${rounds.length} |`,
    `| uploads begun | ${sum(({ attempted }) => attempted)} |`,
    `| acknowledged | ${sum(({ acknowledged }) => acknowledged)} |`,
    `| of these deleted | ${sum(({ deleted }) => deleted)} |`,
    `| deleted and still there | ${sum(({ returned }) => returned.length)} |`,
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
