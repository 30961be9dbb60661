import { credentialHeader, ZoetropeError } from '@zoetrope/sdk'
import { DetailedError, type PreviousUpload, Upload } from 'tus-js-client'
import { origin } from './api.js'
import type { Session } from './session.js'
import { isAway, isUnreachable } from './unreachable.js'
import { isUnderWay, uploadList } from './upload-list.js'
import { waitingFiles } from './waiting-files.js'

/** The number of concurrent uploads. More would only share the bandwidth. */
const together = 2
/** The size of a chunk. Completed chunks survive a lost connection, and some proxies accept no larger ones. */
const chunkBytes = 8 * 1024 * 1024
const retryDelays = [0, 1000, 3000, 5000]
/** The retry interval while the server is unavailable. Retries continue indefinitely. */
const awayMs = 5000
/** An upload without progress for this long is shown as waiting. */
const stalledMs = 3000

interface Job {
  readonly session: Session
  readonly file: File
  /** Whether viewers see the new video once it is ready. */
  readonly active: boolean
  /** The video whose film is replaced. Without it, a new video is created. */
  readonly videoId?: string
  /** The address of an upload that was begun before. */
  readonly uploadUrl?: string
  /** The upload, once its video is known. */
  prepared?: Promise<Upload>
}

const jobs = new Map<string, Job>()
let added = 0

/** Starts uploading files, one video each. Queued files start as others finish. */
export function addFiles(
  session: Session,
  files: readonly File[],
  options: Pick<Job, 'active' | 'videoId' | 'uploadUrl'>,
): void {
  for (const file of files) {
    added += 1
    const id = `upload-${added}`
    jobs.set(id, { session, file, ...options })
    if (!options.uploadUrl) remember(session, file, options)
    uploadList.add({
      id,
      name: file.name,
      size: file.size,
      channel: session.channel,
      sent: 0,
      speed: 0,
      state: 'waiting',
      videoId: options.videoId,
    })
  }
  beginNext()
}

/** Keeps the name of the file until its upload has begun. */
const remember = (
  { channel }: Session,
  { name, size }: File,
  { active, videoId }: Pick<Job, 'active' | 'videoId'>,
): void => waitingFiles.add(channel._id, { name, size, active, ...(videoId ? { videoId } : {}) })

/** Continues an upload that an earlier visit began, with the same file. */
export const resumeUpload = (
  session: Session,
  file: File,
  { _id, video_id }: { readonly _id: string; readonly video_id: string | null },
): void =>
  addFiles(session, [file], {
    active: true,
    uploadUrl: `${origin}/uploads/tus/${_id}`,
    ...(video_id ? { videoId: video_id } : {}),
  })

function beginNext(): void {
  const items = uploadList.get()
  const free = together - items.filter(({ state }) => state === 'sending').length
  for (const { id } of items.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free))) {
    uploadList.change(id, { state: 'sending' })
    tryToBegin(id)
  }
}

function tryToBegin(id: string): void {
  void begin(id).catch((problem) =>
    isUnreachable(problem) ? outwait(id, () => tryToBegin(id)) : fail(id, problem),
  )
}

/** Retries later, unless the upload was paused or cancelled meanwhile. */
function outwait(id: string, tryAgain: () => void): void {
  uploadList.change(id, { isStalled: true, speed: 0 })
  setTimeout(() => {
    if (isSending(id)) tryAgain()
  }, awayMs)
}

function fail(id: string, problem: unknown): void {
  uploadList.change(id, { state: 'failed', problem, speed: 0, isStalled: false })
  beginNext()
}

const titleOf = (name: string) => name.replace(/\.\w{1,5}$/, '').replaceAll(/[_]+/g, ' ')

async function begin(id: string): Promise<void> {
  const job = jobs.get(id)
  if (!job) return
  job.prepared ??= prepare(id, job).catch((problem) => {
    job.prepared = undefined
    throw problem
  })
  const upload = await job.prepared
  // The upload may have been cancelled meanwhile.
  if (jobs.get(id) === job) upload.start()
}

async function prepare(id: string, job: Job): Promise<Upload> {
  const upload = createUpload(id, job)
  if (job.uploadUrl) return upload
  const before = await cutOff(upload, job)
  const videoId = before?.metadata.video_id ?? job.videoId ?? (await newVideo(job))
  uploadList.change(id, { videoId })
  if (!before) remember(job.session, job.file, { ...job, videoId })
  upload.options.metadata = { filename: job.file.name, video_id: videoId }
  if (before) upload.resumeFromPreviousUpload(before)
  return upload
}

/**
 * Finds an interrupted upload of the same file to resume. Ignores it if its video is not the intended one or no
 * longer exists.
 */
async function cutOff(upload: Upload, { session, videoId }: Job): Promise<PreviousUpload | undefined> {
  const [before] = (await upload.findPreviousUploads()).filter(
    ({ metadata }) => videoId === undefined || metadata.video_id === videoId,
  )
  const isGone = (error: unknown) => error instanceof ZoetropeError && error.status === 404
  const of = before?.metadata.video_id
  if (!of) return undefined
  return session.client.videos.get(of).then(
    () => before,
    (error: unknown) => {
      if (!isGone(error)) throw error
      return undefined
    },
  )
}

/** Creates the video before its film is uploaded, so that it can be edited meanwhile. */
async function newVideo({ session, file, active }: Job): Promise<string> {
  const { _id } = await session.client.videos.create({ title: titleOf(file.name), active })
  return _id
}

function createUpload(id: string, { session, file, uploadUrl, videoId }: Job): Upload {
  const { channel } = session
  let { csrfToken } = session
  const headers = () => credentialHeader({ session: { channelId: channel._id, csrfToken } })
  const meter = speedometer(id)
  const upload = new Upload(file, {
    endpoint: `${origin}/uploads/tus`,
    ...(uploadUrl ? { uploadUrl } : {}),
    ...(videoId ? { metadata: { filename: file.name, video_id: videoId } } : {}),
    onUploadUrlAvailable: () => waitingFiles.remove(channel._id, file),
    headers: headers(),
    chunkSize: chunkBytes,
    retryDelays,
    removeFingerprintOnSuccess: true,
    fingerprint: async () => ['zoetrope', channel._id, file.name, file.size, file.lastModified].join('/'),
    onProgress: meter.tell,
    onSuccess: () => {
      meter.stop()
      uploadList.change(id, { state: 'done', sent: file.size, speed: 0, isStalled: false })
      jobs.delete(id)
      beginNext()
    },
    onError: (problem) => {
      meter.stop()
      if (isAway(statusOf(problem))) return outwait(id, () => upload.start())
      const refused = refusalIn(problem)
      if (!refused) return fail(id, problem)
      // The session has ended or was replaced. The uploaded bytes stay, and the upload continues with the new
      // session.
      session.renew(refused, 'PATCH').then(
        (token) => {
          if (token === csrfToken) return fail(id, problem)
          csrfToken = token
          upload.options.headers = headers()
          if (isSending(id)) upload.start()
        },
        () => fail(id, problem),
      )
    },
  })
  return upload
}

const isSending = (id: string) => uploadList.get().some((item) => item.id === id && item.state === 'sending')

/** The HTTP status of a failed request, or undefined if there was no response. */
const statusOf = (problem: Error): number | undefined =>
  // Failures without a request, such as an unreadable file, do not mean that the server is unavailable.
  problem instanceof DetailedError ? problem.originalResponse?.getStatus() : -1

function refusalIn(problem: Error): ZoetropeError | undefined {
  const status = statusOf(problem)
  if (status !== 401 && status !== 403) return undefined
  return new ZoetropeError(problem.message, { status, code: 'refused' })
}

const smoothing = 0.3

/** Reports the progress and recent speed of an upload, and when it stalls. */
function speedometer(id: string) {
  let last: { at: number; sent: number } | undefined
  let speed = 0
  let silence: ReturnType<typeof setTimeout> | undefined
  const stall = () => {
    // Restarts the measurement, so that the pause does not lower the speed.
    last = undefined
    speed = 0
    if (isSending(id)) uploadList.change(id, { isStalled: true, speed: 0 })
  }
  return {
    tell(sent: number): void {
      clearTimeout(silence)
      silence = setTimeout(stall, stalledMs)
      const at = performance.now()
      if (last && at - last.at < 250) return
      if (last) {
        const now = ((sent - last.sent) / (at - last.at)) * 1000
        speed = speed === 0 ? now : speed + smoothing * (now - speed)
      }
      last = { at, sent }
      uploadList.change(id, { sent, speed: Math.max(0, speed), isStalled: false })
    },
    stop: () => clearTimeout(silence),
  }
}

export async function pause(id: string): Promise<void> {
  uploadList.change(id, { state: 'paused', speed: 0, isStalled: false })
  await (await jobs.get(id)?.prepared)?.abort()
  beginNext()
}

export function goOn(id: string): void {
  uploadList.change(id, { state: 'waiting', problem: undefined })
  beginNext()
}

/** Cancels an upload and deletes what was sent, including a video that was created for it. */
export async function cancel(id: string): Promise<void> {
  const job = jobs.get(id)
  const item = uploadList.get().find((one) => one.id === id)
  jobs.delete(id)
  uploadList.remove(id)
  if (job) waitingFiles.remove(job.session.channel._id, job.file)
  const upload = await job?.prepared?.catch(() => undefined)
  await upload?.abort(true).catch(() => undefined)
  const videoId = upload?.options.metadata?.video_id
  if (job && !job.videoId && videoId && item?.state !== 'done')
    await job.session.client.videos.remove(videoId).catch(() => undefined)
  beginNext()
}

// Asks before the tab is closed during an upload. What was sent stays in any case.
window.addEventListener('beforeunload', (event) => {
  if (uploadList.get().some(isUnderWay)) event.preventDefault()
})
