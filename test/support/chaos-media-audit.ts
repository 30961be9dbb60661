import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { findRunningPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { type Place, type SegmentAddress, segmentsOf } from './cold-viewers.js'

export interface MediaAudit {
  readonly videos: number
  /** Acknowledged, but missing. */
  readonly lost: readonly string[]
  /** Present, but not complete in time. */
  readonly incomplete: readonly string[]
  /** Complete, but not playable: the track and the reason. */
  readonly broken: readonly string[]
  readonly tracks: number
  readonly orphans: readonly string[]
  /** Jobs that are still locked, waiting or given up at the end. */
  readonly stuckJobs: readonly string[]
}

interface Video {
  readonly _id: string
  readonly title: string
  readonly status: string
  readonly status_reason: string | null
  readonly complete_at: Date | null
  readonly source_id: string
  readonly frames: number
}

const patience = 90_000

/** Waits until every acknowledged film is complete, plays all of them, and looks for leftovers. */
export async function auditFolder(
  place: Place,
  { DATA_DIR }: { readonly DATA_DIR: string },
  acknowledged: ReadonlySet<string>,
  report: (line: string) => void,
): Promise<MediaAudit> {
  const sql = await connect(DATA_DIR)
  try {
    return await auditMedia(place, { sql, files: () => filesIn(DATA_DIR) }, acknowledged, report)
  } finally {
    await sql.end()
  }
}

/** A file of a film, by the id of its source. */
export interface StoredFile {
  readonly kind: string
  readonly id: string
}

/** The database, and the files that are in the storage. */
interface AuditedPlace {
  readonly sql: postgres.Sql
  files(): Promise<readonly StoredFile[]>
}

/** The same for any database and storage. */
export async function auditMedia(
  place: Place,
  { sql, files }: AuditedPlace,
  acknowledged: ReadonlySet<string>,
  report: (line: string) => void,
): Promise<MediaAudit> {
  const titles = [...acknowledged]
  const find = () => sql<Video[]>`
      select videos._id, title, videos.status, videos.status_reason, complete_at, sources._id as source_id,
        (plan->'grid'->'borders'->>-1)::integer as frames
      from videos join sources on sources._id = media_source_id where title = any(${titles}) order by title
    `
  const isDone = ({ status, complete_at }: Video) => status === 'ready' && complete_at !== null
  let videos = await find()
  // Keeps waiting as long as anything makes progress.
  for (let [before, since] = ['', Date.now()]; Date.now() - since < patience; await delay(500)) {
    if (videos.length === titles.length && videos.every(isDone)) break
    const now = await howFar(sql)
    if (now !== before) [before, since] = [now, Date.now()]
    videos = await find()
  }
  report(`${videos.filter(isDone).length} of ${titles.length} acknowledged uploads are complete`)
  const there = new Set(videos.map(({ title }) => title))
  const played = await playAll(place, videos.filter(isDone))
  return {
    videos: videos.length,
    lost: titles.filter((title) => !there.has(title)),
    incomplete: videos
      .filter((video) => !isDone(video))
      .map(({ title, status, status_reason }) => `${title}: ${status} (${status_reason ?? 'no reason'})`),
    ...played,
    stuckJobs: await leftJobs(sql),
    orphans: await orphansAfterSweep(sql, files),
  }
}

async function howFar(sql: postgres.Sql): Promise<string> {
  const [row] = await sql<{ windows: string; ready: string }[]>`
    select count(*) as windows, (select count(*) from videos where status = 'ready') as ready
    from media_windows where made_at is not null
  `
  return `${row?.windows} ${row?.ready}`
}

async function connect(folder: string) {
  for (let tries = 0; ; tries += 1) {
    const connection = await findRunningPostgres(join(folder, 'postgres'))
    if (connection) return postgres({ ...connection, max: 1, onnotice: () => {} })
    if (tries > 300) throw new Error('PostgreSQL does not run')
    await delay(100)
  }
}

async function playAll(
  place: Place,
  videos: readonly Video[],
): Promise<Pick<MediaAudit, 'broken' | 'tracks'>> {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-played-'))
  const broken: string[] = []
  let tracks = 0
  for (const { _id, title, frames } of videos) {
    const segments = await segmentsOf(place, _id)
    for (const track of new Set(segments.map((segment) => segment.track))) {
      tracks += 1
      const path = join(folder, `${_id}-${track}.mp4`)
      await writeFile(path, await joined(segments.filter((segment) => segment.track === track)))
      const wrong = await faultIn(path, track === 'audio' ? undefined : frames).catch(
        (error) => error.message,
      )
      if (wrong) broken.push(`${title} ${track}: ${wrong}`)
    }
  }
  await rm(folder, { recursive: true, force: true })
  return { broken, tracks }
}

async function joined(segments: readonly SegmentAddress[]): Promise<Buffer> {
  const addresses = segments.map(({ url }) => url)
  const init = (addresses[0] ?? '').replace(/\d+\.m4s$/, 'init.mp4')
  const parts: Buffer[] = []
  for (const address of [init, ...addresses]) {
    const reply = await fetch(address)
    if (reply.status !== 200) throw new Error(`${address} answered ${reply.status}`)
    parts.push(Buffer.from(await reply.arrayBuffer()))
  }
  return Buffer.concat(parts)
}

const run = promisify(execFile)

/** Returns what is wrong with a joined track, or undefined if it decodes without errors and has the expected frames. */
async function faultIn(path: string, frames: number | undefined): Promise<string | undefined> {
  const count = ['-v', 'error', '-count_frames', '-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0']
  const decode = () => run('ffprobe', [...count, path])
  // Ctrl-C, which stops a long run after its round, also ends an ffprobe of that round. A broken track fails again.
  const { stdout, stderr } = await decode().catch(decode)
  if (stderr !== '') return stderr.slice(0, 300)
  if (frames === undefined) return undefined
  return Number.parseInt(stdout, 10) === frames ? undefined : `${stdout.trim()} frames, not ${frames}`
}

/** Returns the jobs, except scheduled ones, that have not ended after a grace period. */
async function leftJobs(sql: postgres.Sql): Promise<string[]> {
  const look = () => sql<{ job: string }[]>`
    select task_identifier || ' attempts ' || attempts || coalesce(' locked by ' || locked_by, '')
      || coalesce(' ' || last_error, '') as job
    from graphile_worker.jobs
    where task_identifier in ('prepare', 'fill', 'poster', 'storyboard', 'files', 'preview', 'subtitles', 'import')
  `
  let left = await look()
  for (const begun = Date.now(); left.length > 0 && Date.now() - begun < patience; await delay(500))
    left = await look()
  return left.map(({ job }) => job)
}

/** Returns source files without a row, after a sweep without a minimum age. */
async function orphansAfterSweep(sql: postgres.Sql, files: AuditedPlace['files']): Promise<string[]> {
  await sql`select graphile_worker.add_job('sweep-media', '{"youngest_ms": 0, "is_confirmed": true}'::json)`
  const waiting = () => sql`select from graphile_worker.jobs where task_identifier = 'sweep-media'`
  while ((await waiting()).length > 0) await delay(100)
  const rows = await sql<{ _id: string }[]>`select _id from sources`
  const known = new Set(rows.map(({ _id }) => _id))
  return (await files()).filter(({ id }) => !known.has(id)).map(({ kind, id }) => `${kind}/${id}`)
}

async function filesIn(folder: string): Promise<StoredFile[]> {
  const objects = join(folder, 'media', 'objects')
  const isOfSources = (kind: string) => !['aside', 'lease', 'installation.json'].includes(kind)
  const kinds = (await readdir(objects)).filter(isOfSources)
  const found = await Promise.all(
    kinds.map(async (kind) => (await readdir(join(objects, kind))).map((id) => ({ kind, id }))),
  )
  const files = await Promise.all(
    found.flat().map(async ({ kind, id }) => {
      const entries = await readdir(join(objects, kind, id), { recursive: true }).catch(() => [])
      return entries.some((entry) => entry.includes('.') || kind === 'sources') ? [{ kind, id }] : []
    }),
  )
  return files.flat()
}
