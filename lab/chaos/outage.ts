/**
 * The long form of test/robustness/store-away.test.ts: takes the S3 store away for some minutes, once with its port
 * closed, once accepting requests without answering. Writes bench/results/chaos-outage.md.
 */
import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { putFfmpegOnPath } from '../../test/support/ffmpeg-on-path.js'
import { startTestPostgres } from '../../test/support/postgres.js'
import { endureOutage, type OutageResult, openStage } from '../../test/support/store-outage.js'
import { circumstances, publishResult } from '../long-run.js'

/** The address of a download, which is asked for once, lasts an hour. */
const longest = 25
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const minutes = Number(values.minutes)
if (!(minutes > 0 && minutes <= longest)) throw new Error(`--minutes is a number up to ${longest}.`)
const file = new URL('../../bench/results/chaos-outage.md', import.meta.url)
const names = { refuses: 'its port is closed', hangs: 'it accepts requests without answering' } as const

await putFfmpegOnPath()
const postgres = await startTestPostgres()
process.env.TEST_POSTGRES = JSON.stringify(postgres.connection)
const results: OutageResult[] = []
const wrong: string[] = []
try {
  const stage = await openStage()
  for (const outage of ['refuses', 'hangs'] as const) {
    console.log(`The store is away for ${minutes} minutes: ${names[outage]}.`)
    try {
      results.push(await endureOutage(stage, outage, minutes * 60))
    } catch (error) {
      wrong.push(`${names[outage]}: ${error instanceof Error ? error.message : error}`)
    }
  }
  await stage.stop()
} finally {
  await postgres.stop()
  await rm(postgres.folder, { recursive: true, force: true })
}
await publishResult(file, page(), wrong)
process.exit()

function page(): string {
  const row = ({ outage, awaySeconds, rounds, caughtUpSeconds }: OutageResult) =>
    `| ${names[outage]} | ${Math.round(awaySeconds)} s | ${rounds} | ${caughtUpSeconds.toFixed(1)} s |`
  return [
    '# The store is away',
    '',
    `${circumstances(`npm run lab -- chaos-outage --minutes ${minutes}`)}. The S3 store goes away in`,
    'the middle of an upload, an import and the preparation of a film. Meanwhile, in every round: films that are in the',
    'cache play, lists, records and the dashboard answer, `/readyz` warns, uploads can begin, and what needs the store',
    'gets 503 with the reason. Afterwards the upload continues at its last acknowledged byte, and import, film and poster',
    'finish by themselves, byte for byte. No job has used up its attempts, and no part of a film is blamed.',
    '',
    '| The store | Away | Rounds | Everything finished after |',
    '|---|---:|---:|---:|',
    ...results.map(row),
    ...wrong.map((line) => `\nFailed: ${line}`),
    '',
  ].join('\n')
}
