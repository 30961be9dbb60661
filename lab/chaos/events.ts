/**
 * The long form of test/robustness/kill-events.test.ts: kills the server, its worker and PostgreSQL at random while a
 * client writes records and a webhook receives their events. Writes bench/results/chaos-events.md. Every 50 kills it
 * compares everything and starts a new server. Ctrl-C stops after the current round; the same command continues.
 */
import { parseArgs } from 'node:util'
import { type EventChaosResult, runEventChaos } from '../../test/support/chaos-events.js'
import { circumstances, openLongRun, publishResult } from '../long-run.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    fresh: { type: 'boolean', default: false },
  },
})
const file = new URL('../../bench/results/chaos-events.md', import.meta.url)
const wanted = Number(values.kills)
const killsInRound = 50

const run = await openLongRun('chaos-events', 'rounds', values.fresh, () => ({
  rounds: [] as EventChaosResult[],
}))
const { rounds } = run.state
const killed = ({ kills }: EventChaosResult) => Object.values(kills).reduce((sum, each) => sum + each, 0)
const sum = (count: (round: EventChaosResult) => number) =>
  rounds.reduce((all, round) => all + count(round), 0)
if (run.isContinued) console.log(`Continues after ${sum(killed)} kills.`)
while (sum(killed) < wanted && !run.isStopped()) {
  const kills = Math.min(killsInRound, wanted - sum(killed))
  rounds.push(await runEventChaos({ kills, writers: 4, random: Math.random, report: console.log }))
  await run.save()
  console.log(`${sum(killed)} of ${wanted} kills`)
}
const wrong = rounds.flatMap(({ wrongRecords, lost, invented }) => [wrongRecords, lost, invented].flat())
if (rounds.length > 0) await publishResult(file, page(), wrong)
if (sum(killed) >= wanted) await run.finish()

function page(): string {
  return [
    '# Events through kill -9',
    '',
    `${circumstances(`npm run lab -- chaos-events --kills ${wanted}`)}. Four writers create and change videos through the SDK,`,
    'and repeat each write with its Idempotency-Key until it is answered. A webhook receives the events. Meanwhile the server,',
    'its worker or PostgreSQL is killed with SIGKILL at random. Every 50 kills everything is compared, and a new server begins.',
    '',
    '| | |',
    '|---|---:|',
    `| kills | ${sum(killed)} |`,
    ...(['server', 'worker', 'PostgreSQL'] as const).map(
      (victim) => `| of them ${victim} | ${sum(({ kills }) => kills[victim])} |`,
    ),
    `| records created | ${sum(({ created }) => created)} |`,
    `| writes repeated after the SDK gave up | ${sum(({ repeated }) => repeated)} |`,
    `| records missing, there twice, or with missing or additional events | ${sum(({ wrongRecords }) => wrongRecords.length)} |`,
    `| events | ${sum(({ events }) => events)} |`,
    `| deliveries received | ${sum(({ deliveries }) => deliveries)} |`,
    `| events lost | ${sum(({ lost }) => lost.length)} |`,
    `| events invented | ${sum(({ invented }) => invented.length)} |`,
    '',
  ].join('\n')
}
