import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskIn } from '../../packages/server/src/config/storage-url.js'
import { openDatabase } from '../../packages/server/src/db/database.js'
import { newId } from '../../packages/server/src/lib/object-id.js'
import { hlsFormats } from '../../packages/server/src/media/formats.js'
import { planWindows, segmentCount } from '../../packages/server/src/media/grid.js'
import { probeSource } from '../../packages/server/src/media/probe.js'
import type { MediaParts } from '../../packages/server/src/media-segments/media-parts.js'
import {
  audioTrack,
  segmentKey,
  sourceKey,
  type TrackName,
  webmTrack,
} from '../../packages/server/src/media-segments/segment-keys.js'
import { planSource, type Source } from '../../packages/server/src/media-segments/source-plan.js'
import { openMedia } from '../../packages/server/src/open-media.js'
import { cloneDatabase } from './database.js'
import { openTestFfmpeg } from './ffmpeg.js'

/**
 * Opens workers as separate processes have them: shared storage and database, own connections. Their films have no
 * videos.
 */
export async function openFilms(count = 1) {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-films-'))
  const clone = await cloneDatabase()
  const databases = Array.from({ length: count }, () =>
    openDatabase({ connection: clone.connection, connections: 4 }),
  )
  const config = {
    dataDir: folder,
    storage: diskIn(folder),
    oldStorage: undefined,
    cacheDir: join(folder, 'cache'),
    cachedFilmBytes: 1e9,
    maxUploadBytes: 1e9,
    channelBytes: undefined,
    importNetworks: [],
    encoders: 2,
  }
  const workers = await Promise.all(
    databases.map((database) => openMedia(config, database, openTestFfmpeg())),
  )
  const [{ storage, ffmpeg: local }] = workers as [MediaParts]
  const ffmpeg = local.need()

  return {
    folder,
    workers,
    /** Returns the facts of a file. Rejects if the file is refused. */
    look: (path: string) => probeSource(ffmpeg, path),
    /** Stores a source, with more windows than the plan of so short a film would have. */
    async source(path: string): Promise<Source> {
      const _id = newId()
      const plan = planSource(await probeSource(ffmpeg, path), hlsFormats)
      await storage.put(sourceKey(_id), createReadStream(path))
      const windows = planWindows(plan.grid, 2)
      return { _id, site_id: newId(), video_id: newId(), plan: { ...plan, windows } }
    },
    /** Joins the init segment and all segments of a track into one file. */
    async joined({ _id, plan }: Source, track: TrackName): Promise<string> {
      const segments = Array.from({ length: segmentCount(plan.grid) }, (_, number) => number)
      const chunks: Buffer[] = []
      for (const part of ['init' as const, ...segments]) {
        const object = await storage.read(segmentKey(_id, track, part))
        assert.ok(object, `${track} ${part} is missing`)
        for await (const chunk of object.body) chunks.push(chunk as Buffer)
      }
      const path = join(folder, `${_id}-${track}.mp4`)
      await writeFile(path, Buffer.concat(chunks))
      return path
    },
    async close() {
      for (const { windows } of workers) await windows.close()
      for (const database of databases) await database.close()
      await clone.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
export type Films = Awaited<ReturnType<typeof openFilms>>

export const tracksOf = ({ plan }: Source): TrackName[] => [
  ...(plan.audio ? [audioTrack] : []),
  ...plan.rungs.map(({ name }) => name),
  ...(plan.facts.video ? [webmTrack] : []),
]
