/**
 * Hostile requests, made from the OpenAPI document: none may get a 5xx, wait longer than 5 s or end the server.
 * TEST_SEED=7 tries others; FUZZ_REQUESTS=50000 tries more of them. A failure prints the request and the seed.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { statuses } from '@zoetrope/contract'
import fc from 'fast-check'
import { XMLValidator } from 'fast-xml-parser'
import { logged, startOwnApi, type TestApi } from '../support/api.js'
import { seed } from '../support/random.js'
import { bytesOf, type RawAnswer, sendRaw } from '../support/raw-http.js'
import { noteOnlyMadePasswords } from '../support/secrets.js'
import { fromXml } from '../support/xml-fetch.js'
import { frames } from './hostile-frames.js'
import { type Ground, type Shot, shotsAt } from './hostile-requests.js'
import { type Document, type Target, targetsOf } from './openapi-targets.js'

const wanted = Number(process.env.FUZZ_REQUESTS ?? 2600)
/** How the requests are shared between what the document declares and everything around it. */
const share = { targets: 0.7, frames: 0.3 }

let api: TestApi
let ground: Ground
let targets: Target[]
let sent = 0

before(async () => {
  api = await startOwnApi()
  noteOnlyMadePasswords()
  const { videos, apps, consumers } = api.as('admin')
  const made = { videos: [] as string[], apps: [] as string[], consumers: [] as string[] }
  for (let index = 0; index < 30; index += 1)
    made.videos.push((await videos.create({ title: `Video ${index}` }))._id)
  for (let index = 0; index < 10; index += 1)
    made.apps.push((await apps.create({ title: `App ${index}` }))._id)
  for (let index = 0; index < 10; index += 1)
    made.consumers.push((await consumers.create({ email: `viewer-${index}@example.com` }))._id)
  ground = { key: api.channel.keys.admin, ids: made }
  targets = targetsOf((await (await fetch(`${api.url}/openapi.json`)).json()) as Document)
})
after(() => api.stop())

const formats = { 'application/xml': 'xml', 'application/json': 'json' } as const
const formatOf = ({ headers }: RawAnswer) =>
  formats[(headers.get('content-type') ?? '').split(';')[0] as keyof typeof formats]

/** What is wrong with an answer, or nothing. */
function faultOf(shot: Shot, answer: RawAnswer): string | undefined {
  const { status, text, ms } = answer
  if (ms > 5000) return `took ${ms} ms`
  // 501 is how oEmbed refuses a format.
  if (!(status >= 200 && status < 500) && status !== 501) return `status ${status}: ${text.slice(0, 300)}`
  if (shot.method === 'HEAD' || status === 204 || status === 304) return undefined
  return isPage(answer) ? leakFault(text) : contentFault(shot, answer)
}

function contentFault(shot: Shot, answer: RawAnswer): string | undefined {
  const { status, text } = answer
  const format = formatOf(answer)
  if (shot.format && format !== shot.format) return `${format} instead of ${shot.format}`
  if (format === 'xml' && XMLValidator.validate(text) !== true) return `broken XML: ${text.slice(0, 300)}`
  return status < 300
    ? undefined
    : refusalFault((format === 'xml' ? fromXml(text) : JSON.parse(text)) as object, text)
}

/** What tus has statuses of its own for, and what is known elsewhere and not offered here. */
const furtherCodes = [
  'bad_request',
  'conflict',
  'gone',
  'precondition_failed',
  'unsupported_media_type',
  'not_offered',
]

function refusalFault(
  body: { message?: unknown; code?: unknown; error?: unknown },
  text: string,
): string | undefined {
  if (typeof body.message !== 'string' || body.message === '') return `no message: ${text.slice(0, 300)}`
  // The token endpoints say `error`, as their standard wants it.
  const isCode =
    typeof body.error === 'string' ||
    Object.values(statuses).some(({ code }) => code === body.code) ||
    furtherCodes.includes(String(body.code))
  return isCode ? leakFault(text) : `code ${body.code}`
}

const isPage = ({ headers }: RawAnswer) => (headers.get('content-type') ?? '').startsWith('text/html')
const leakFault = (text: string) =>
  /node_modules|\.[tj]s:\d|\bselect\b.*\bfrom\b/.test(text) ? `tells too much: ${text}` : undefined

function described(shot: Shot): string {
  const bytes = bytesOf(shot)
  return `${JSON.stringify(bytes.subarray(0, 600).toString('latin1'))}${bytes.length > 600 ? ` and ${bytes.length - 600} bytes` : ''}`
}

async function fire(shot: Shot): Promise<void> {
  sent += 1
  const answer = await sendRaw(api.url, shot).catch((error: Error) => error)
  const fault = answer instanceof Error ? answer.message : faultOf(shot, answer)
  if (fault) throw new Error(`${fault}\n${described(shot)}`)
}

/** Each place gets a seed of its own, or all would be tried with the same values. */
const assault = (shots: fc.Arbitrary<Shot>, numRuns: number, place: number) =>
  fc.assert(fc.asyncProperty(shots, fire), {
    numRuns,
    seed: seed + place,
    endOnFailure: true,
    includeErrorInReport: true,
  })

test('every operation, parameter and field answers bad input with 2xx or 4xx and a message', async () => {
  assert.ok(targets.length > 200, `only ${targets.length} targets`)
  const runs = Math.ceil((wanted * share.targets) / targets.length)
  const failures: string[] = []
  for (const [place, target] of targets.entries())
    await assault(shotsAt(target, ground), runs, place).catch((error: Error) =>
      failures.push(`${target.method} ${target.path} ${target.at} ${target.name}: ${error.message}`),
    )
  assert.deepEqual(failures, [])
})

for (const [place, [name, shots]] of Object.entries(frames).entries())
  test(`${name} are answered with 2xx or 4xx and a message`, () =>
    assault(shots(ground), Math.ceil((wanted * share.frames) / Object.keys(frames).length), place))

test('after all this the server is ready, has logged no fault and works as before', async (context) => {
  context.diagnostic(`${sent} requests, seed ${seed}`)
  assert.ok(sent >= Math.min(wanted, 2000), `only ${sent} requests`)
  assert.deepEqual(
    logged.filter((line) => (JSON.parse(line) as { level: number }).level >= 50),
    [],
  )
  assert.equal((await fetch(`${api.url}/readyz`)).status, 200)
  assert.equal(({} as { title?: string }).title, undefined)

  const { videos } = api.as('admin')
  const made = await videos.create({ title: 'After the storm' })
  const { response } = await videos.list({ id: [made._id] })
  assert.deepEqual(response, [made])
})
