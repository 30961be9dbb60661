import { join } from 'node:path'
import { mp4FilePlan, opusFilePlan, webmFilePlan } from '../media/file-args.js'
import type { FileFormat } from '../media/formats.js'
import { joinParts } from '../media/join-parts.js'
import type { OpenedFfmpeg } from '../media/open-ffmpeg.js'
import { type FfmpegPlan, runFfmpeg } from '../media/run-ffmpeg.js'
import type { MediaParts } from './media-parts.js'
import { fileKey, fileTrack, mp4Rung, tracksOfFile } from './published.js'
import { audioTrack, segmentKey, sourceKey, type TrackName, trackFolder, webmTrack } from './segment-keys.js'
import { ensureWindow, whileUnasked } from './segments.js'
import type { Source } from './source-plan.js'
import type { MadeWindow } from './window-leases.js'
import { withFilm } from './with-film.js'

/** Makes a file unless it exists. The windows it is joined from must have been made. */
export async function ensureFile(
  media: MediaParts,
  source: Source,
  name: FileFormat,
  signal?: AbortSignal,
): Promise<void> {
  const { windows, storage } = media
  const ffmpeg = media.ffmpeg.need()
  const key = { source_id: source._id, track: fileTrack(name), number: 0 }
  const ensure = () =>
    windows.ensure(key, (ending) => makeFile({ media, ffmpeg, source, signal: ending }, name), { signal })
  await ensureParts(media, source, name, signal)
  await ensure()
  if (await storage.stat(fileKey(source._id, name))) return
  // It was made once and is gone, so it is made again.
  await windows.forget(key)
  await ensure()
}

interface FileWork {
  readonly media: MediaParts
  readonly ffmpeg: OpenedFfmpeg
  readonly source: Source
  readonly signal: AbortSignal
}

/** The inputs of a file, and their total size. */
interface Inputs {
  readonly video?: string | undefined
  readonly audio?: string | undefined
  readonly bytes: number
}

const longestSeconds = 3600
/** The result is about as large as its inputs. */
const mostBytes = (bytes: number) => Math.ceil(bytes * 1.2) + 64 * 1024 ** 2
const opusBytesPerSecond = 24_000

async function makeFile(making: FileWork, name: FileFormat): Promise<MadeWindow> {
  const { media, source } = making
  const begun = performance.now()
  return media.storage.withScratch(async (folder) => {
    const [inputsOf, planOf] =
      name === 'mp4_360p' ? ([mp4Inputs, mp4FilePlan] as const) : ([webmInputs, webmFilePlan] as const)
    const { bytes, ...inputs } = await inputsOf(making, folder)
    const target = join(folder, fileTrack(name))
    await runPlan(making, planOf({ ...inputs, target }), bytes)
    const { size } = await media.storage.putFile(fileKey(source._id, name), target)
    const seconds = (performance.now() - begun) / 1000
    return { bytes: size, spent: { way: 'join', seconds, film_seconds: source.plan.facts.duration } }
  })
}

const runPlan = ({ ffmpeg, signal }: FileWork, plan: FfmpegPlan, bytes: number) =>
  runFfmpeg(ffmpeg, plan, {
    limits: { seconds: longestSeconds, outputBytes: mostBytes(bytes) },
    nice: whileUnasked,
    signal,
  })

async function mp4Inputs(making: FileWork, folder: string): Promise<Inputs> {
  const { plan } = making.source
  const rung = mp4Rung(plan)
  const video = rung && (await joinTrack(making, rung.name, join(folder, 'video.mp4')))
  const audio = plan.audio && (await joinTrack(making, audioTrack, join(folder, 'audio.mp4')))
  return { video: video?.path, audio: audio?.path, bytes: (video?.bytes ?? 0) + (audio?.bytes ?? 0) }
}

async function webmInputs(making: FileWork, folder: string): Promise<Inputs> {
  const { media, source } = making
  const { facts } = source.plan
  const video = facts.video && (await joinTrack(making, webmTrack, join(folder, 'video.mp4')))
  const soundBytes = facts.audio ? facts.duration * opusBytesPerSecond : 0
  const sound = facts.audio && join(folder, 'sound.webm')
  if (sound)
    await withFilm(media.storage, making.ffmpeg, sourceKey(source._id), (film, ffmpeg) =>
      runPlan({ ...making, ffmpeg }, opusFilePlan(film, facts, sound), soundBytes),
    )
  return { video: video?.path, audio: sound, bytes: (video?.bytes ?? 0) + soundBytes }
}

/** Init and segments of a track, joined in one file. */
async function joinTrack(
  { media, source, signal }: FileWork,
  track: TrackName,
  path: string,
): Promise<{ path: string; bytes: number }> {
  async function* parts() {
    for (const part of partsOf(source, track)) {
      const object = await media.storage.read(part.key)
      if (!object) throw new Error('A part that the file is joined from is gone.')
      yield object.body as AsyncIterable<Uint8Array>
    }
  }
  return { path, bytes: await joinParts(path, parts(), signal) }
}

/** Init and segments of a track in order, each with its window. */
function partsOf({ _id, plan }: Source, track: TrackName): { key: string; number: number }[] {
  const segments = plan.windows.flatMap(({ from, to }, number) =>
    Array.from({ length: to - from }, (_, index) => ({ key: segmentKey(_id, track, from + index), number })),
  )
  return [{ key: segmentKey(_id, track, 'init'), number: 0 }, ...segments]
}

/** Makes missing parts again before the lease of the file is taken. */
async function ensureParts(media: MediaParts, source: Source, name: FileFormat, signal?: AbortSignal) {
  for (const track of tracksOfFile(source.plan, name)) {
    const there = new Set<string>()
    for await (const { key } of media.storage.list(trackFolder(source._id, track))) there.add(key)
    const gone = partsOf(source, track).filter(({ key }) => !there.has(key))
    for (const number of new Set(gone.map((part) => part.number))) {
      await media.windows.forget({ source_id: source._id, track, number })
      await ensureWindow(media, source, track, number, { signal, nice: whileUnasked })
    }
  }
}
