import { parseArgs } from 'node:util'
import type { FilmKillOptions, FilmKillResult } from '../../test/support/chaos-media.js'
import { putFfmpegOnPath } from '../../test/support/ffmpeg-on-path.js'
import { circumstances, openLongRun, publishResult } from '../long-run.js'

interface FilmKills<Round extends FilmKillResult> {
  /** The name of the command, and of its result. */
  readonly name: 'media' | 'nodes'
  readonly title: string
  /** What happens in a run, as lines of the result. */
  readonly about: readonly string[]
  /** The longest time of a round, unless the command says another. */
  readonly minutes: string
  readonly seconds: number
  readonly uploadsFor: (kills: number) => number
  readonly runRound: (options: FilmKillOptions) => Promise<Round>
  /** What is counted besides, by its name in the result. */
  readonly counted?: Readonly<Record<string, (round: Round) => number>>
  readonly alsoWrong?: (round: Round) => readonly string[]
}

const killsInRound = 50

/**
 * Kills processes while films come in, in rounds, until there are as many kills as the command wants. Writes the outcome to
 * bench/results/. Ctrl-C stops after the current round; the same command continues.
 */
export async function killWhileFilmsCome<Round extends FilmKillResult>(
  kind: FilmKills<Round>,
): Promise<void> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '200' },
      minutes: { type: 'string', default: kind.minutes },
      fresh: { type: 'boolean', default: false },
    },
  })
  const wanted = Number(values.kills)
  await putFfmpegOnPath()
  const run = await openLongRun(`chaos-${kind.name}`, 'rounds', values.fresh, () => ({
    rounds: [] as Round[],
  }))
  const { rounds } = run.state
  const done = () => sumOf(rounds, killsOf)
  if (run.isContinued) console.log(`Continues after ${done()} kills.`)
  while (done() < wanted && !run.isStopped()) {
    const kills = Math.min(killsInRound, wanted - done())
    const round = await kind.runRound({
      kills,
      uploads: kind.uploadsFor(kills),
      seconds: kind.seconds,
      longestMs: Number(values.minutes) * 60_000,
      random: Math.random,
      report: console.log,
    })
    rounds.push(round)
    await run.save()
    console.log(`${done()} of ${wanted} kills`)
  }
  const file = new URL(`../../bench/results/chaos-${kind.name}.md`, import.meta.url)
  if (rounds.length > 0) await publishResult(file, pageOf(kind, rounds, wanted), wrongOf(kind, rounds))
  if (done() >= wanted) await run.finish()
}

const sumOf = <Round>(rounds: readonly Round[], count: (round: Round) => number) =>
  rounds.reduce((all, round) => all + count(round), 0)

const killsOf = ({ kills }: FilmKillResult) => Object.values(kills).reduce((sum, each) => sum + each, 0)

const wrongOf = <Round extends FilmKillResult>(
  { alsoWrong }: FilmKills<Round>,
  rounds: readonly Round[],
): string[] =>
  rounds.flatMap((round) => {
    const { lost, incomplete, broken, partial, orphans, stuckJobs } = round
    return [lost, incomplete, broken, partial, orphans, stuckJobs, alsoWrong?.(round) ?? []].flat()
  })

function pageOf<Round extends FilmKillResult>(
  { name, title, about, counted = {} }: FilmKills<Round>,
  rounds: readonly Round[],
  wanted: number,
): string {
  const sum = (count: (round: Round) => number) => sumOf(rounds, count)
  const victims = Object.keys(rounds[0]?.kills ?? {})
  const [first = '', ...rest] = about
  return [
    `# ${title}`,
    '',
    `${circumstances(`npm run lab -- chaos-${name} --kills ${wanted}`)}. ${first}`,
    ...rest,
    '',
    '| | |',
    '|---|---:|',
    `| kills | ${sum(killsOf)} |`,
    ...victims.map((victim) => `| of them ${victim} | ${sum(({ kills }) => kills[victim] ?? 0)} |`),
    `| rounds | ${rounds.length} |`,
    `| uploads begun | ${sum(({ attempted }) => attempted)} |`,
    `| acknowledged | ${sum(({ acknowledged }) => acknowledged)} |`,
    ...Object.entries(counted).map(([what, count]) => `| ${what} | ${sum(count)} |`),
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
