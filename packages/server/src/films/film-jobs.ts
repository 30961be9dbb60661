import type { Db } from '../db/database.js'
import { publishedFiles, publishesHls, type RequestedFormats } from '../media-segments/published.js'
import type { Source } from '../media-segments/source-plan.js'
import { enqueue } from '../queue/enqueue.js'
import type { JobKind } from '../queue/job.js'

/** What the jobs about a source of a video are given. */
export interface SourceJob {
  readonly site_id: string
  readonly source_id: string
}

export interface FillJob extends SourceJob {
  /** Which of the jobs that fill this source. Slot 0 stays until everything is made. */
  readonly slot: number
}

export interface ImportJob {
  readonly site_id: string
  readonly import_id: string
  /** The source that the bytes are stored as. */
  readonly media_source_id: string
  /** How often it has waited for us in a row. */
  readonly waits?: number
}

export interface AudioJob {
  readonly site_id: string
  readonly audio_track_id: string
}

/** The kinds of jobs that work on films. What each does is in `jobs/<name>.job.ts`. */
export const prepareKind: JobKind<SourceJob> = { name: 'prepare', attempts: 100 }
export const posterKind: JobKind<SourceJob> = { name: 'poster', attempts: 5 }
export const storyboardKind: JobKind<SourceJob> = { name: 'storyboard', attempts: 10 }
export const previewKind: JobKind<SourceJob> = { name: 'preview', attempts: 5 }
export const subtitlesKind: JobKind<SourceJob> = { name: 'subtitles', attempts: 5 }
export const fillKind: JobKind<FillJob> = { name: 'fill', attempts: 25 }
export const filesKind: JobKind<SourceJob> = { name: 'files', attempts: 25 }
export const prepareAudioKind: JobKind<AudioJob> = { name: 'prepare-audio', attempts: 25 }
export const importKind: JobKind<ImportJob> = { name: 'import', attempts: 25, reachesOut: true }

/** Lower numbers run first. Preparing and importing have 0: until they are done, there is nothing to watch. */
const priorities = {
  /** Without HLS nobody can watch before a file is made. */
  filesInsteadOfHls: 40,
  poster: 50,
  /** More people see posters. */
  storyboard: 60,
  /** Viewers use the storyboard more. */
  preview: 70,
  /** Few films have any. */
  subtitles: 80,
  /** The windows that a file is joined from are made already, so it comes before filling other films. */
  filesBesideHls: 90,
  /** Nobody waits for these windows. */
  fill: 100,
}

/** How many workers may fill one video at once. */
const slots = 4

/** Has a source prepared once the transaction is committed. */
export const enqueuePrepare = (tx: Db, source: SourceJob): Promise<void> =>
  enqueue(tx, prepareKind, source, { key: source.source_id })

export const enqueuePoster = (tx: Db, source: SourceJob): Promise<void> =>
  enqueue(tx, posterKind, source, { key: source.source_id, priority: priorities.poster })

/** Has the poster, the storyboard and the preview of a source drawn. */
export async function enqueuePictures(tx: Db, source: SourceJob): Promise<void> {
  const key = source.source_id
  await enqueuePoster(tx, source)
  await enqueue(tx, storyboardKind, source, { key, priority: priorities.storyboard })
  await enqueue(tx, previewKind, source, { key, priority: priorities.preview })
}

/** Has the subtitles inside the file of a source imported. */
export const enqueueSubtitles = (tx: Db, source: SourceJob): Promise<void> =>
  enqueue(tx, subtitlesKind, source, { key: source.source_id, priority: priorities.subtitles })

export function enqueueSlot(tx: Db, job: FillJob, inSeconds = 0): Promise<void> {
  const { source_id, slot } = job
  const key = slot === 0 ? source_id : `${source_id} ${slot}`
  return enqueue(tx, fillKind, job, { key, priority: priorities.fill, inSeconds })
}

/** Has everything made that is missing of a source. If nothing is missing, the jobs end after one query. */
export async function enqueueFill(tx: Db, { site_id, source_id }: SourceJob): Promise<void> {
  for (let slot = 0; slot < slots; slot += 1) await enqueueSlot(tx, { site_id, source_id, slot })
}

/** Has the files made that are wanted of a source. */
export async function enqueueFiles(
  tx: Db,
  { site_id, _id }: Source,
  wanted: RequestedFormats,
): Promise<void> {
  if (publishedFiles(wanted).length === 0) return
  const priority = publishesHls(wanted) ? priorities.filesBesideHls : priorities.filesInsteadOfHls
  await enqueue(tx, filesKind, { site_id, source_id: _id }, { key: _id, priority })
}

/** Has an uploaded audio track prepared once the transaction is committed. */
export const enqueuePrepareAudio = (tx: Db, job: AudioJob): Promise<void> =>
  enqueue(tx, prepareAudioKind, job, { key: job.audio_track_id })

/** Has an import fetched, or, if it has ended, its bytes removed. */
export const enqueueImport = (tx: Db, job: ImportJob, inSeconds = 0): Promise<void> =>
  enqueue(tx, importKind, job, { key: job.import_id, inSeconds })
