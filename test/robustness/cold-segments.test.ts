/** The short form of `npm run lab -- bench-cold`: many viewers at once, each at a part of the film that is not encoded yet. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import postgres from 'postgres'
import { findRunningPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { makeClip } from '../support/clip.js'
import { askAll, isWholeSegment, publish, type SegmentAddress, segmentsOf } from '../support/cold-viewers.js'
import { seededRandom, shuffled } from '../support/random.js'
import { makeGround, type RunningServer, readCredentials, startServer } from '../support/server-process.js'

const viewers = 24
const encoders = 2
let ground: Awaited<ReturnType<typeof makeGround>>
let server: RunningServer
before(async () => {
  ground = await makeGround()
  server = await startServer({ ...ground.env, ENCODERS: String(encoders) })
})
after(async () => {
  await server.stop()
  await ground.remove()
})

interface Film {
  readonly windows: readonly { readonly from: number; readonly to: number }[]
  /** The encoded windows as `track/number`, in order of encoding. */
  readonly made: readonly string[]
}

async function lookAt(): Promise<Film> {
  const connection = await findRunningPostgres(join(ground.env.DATA_DIR, 'postgres'))
  assert.ok(connection)
  const sql = postgres({ ...connection, max: 1, onnotice: () => {} })
  const [source] = await sql<{ windows: Film['windows'] }[]>`select plan->'windows' as windows from sources`
  const rows = await sql<{ name: string }[]>`
    select track || '/' || number as name from media_windows where made_at is not null order by made_at
  `
  await sql.end()
  return { windows: source?.windows ?? [], made: rows.map(({ name }) => name) }
}

test('viewers of segments that do not exist yet are all served, before background work', async () => {
  const { keys } = await readCredentials(ground.env)
  const place = { url: server.url, key: keys.admin }
  const sound = { channels: 1, sampleRate: 8000 } as const
  const clip = await makeClip({ size: '480x270', seconds: 120, rate: '12', ...sound })
  const id = await publish(place, clip, 'Cold')
  const segments = await segmentsOf(place, id)
  const before = await lookAt()
  const windowOf = ({ track, number }: SegmentAddress) =>
    `${track}/${before.windows.findIndex(({ from, to }) => number >= from && number < to)}`
  const cold = segments.filter((segment) => !before.made.includes(windowOf(segment)))
  const asked = shuffled(
    cold.filter(({ track }) => track !== 'audio'),
    seededRandom(),
  ).slice(0, viewers)
  const served = await askAll(asked)
  const after = await lookAt()

  for (const { segment, status, bytes } of served) {
    assert.equal(status, 200, `${segment.track} ${segment.number}`)
    assert.ok(isWholeSegment(bytes), `${segment.track} ${segment.number} is not whole`)
  }
  assert.equal(served.length, viewers)
  const wanted = new Set(asked.map(windowOf))
  const made = after.made.slice(before.made.length)
  const last = made.findLastIndex((window) => wanted.has(window))
  // The sound of the whole film is copied at once, which takes a moment.
  const isSound = (window: string) => window.startsWith('audio/')
  const unasked = made.slice(0, last).filter((window) => !wanted.has(window) && !isSound(window))
  // Encodings under way when the viewers arrive run to their end, and the last viewers leave encoders free. Each run
  // encodes at most every track.
  const tracks = new Set(segments.map(({ track }) => track)).size
  assert.ok(
    unasked.length <= 2 * encoders * tracks,
    `${unasked.length} windows that nobody waits for came before ${wanted.size} others: ${made.join(' ')}`,
  )
})
