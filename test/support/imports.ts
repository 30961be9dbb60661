import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Catalog, RecordOf } from '@zoetrope/contract'
import { sourceKey } from '../../packages/server/src/media-segments/segment-keys.js'
import { startApi, type TestApi } from './api.js'
import { type FilmServer, startFilmServer } from './film-server.js'
import { openWorker } from './media.js'

export type Import = RecordOf<Catalog['video_imports']>

/** A server with a worker, and a server of films that the worker may reach. */
export interface ImportGround {
  readonly api: TestApi
  readonly films: FilmServer
  start(path?: string): Promise<Import>
  /** Waits until the import meets the condition. */
  until(id: string, isSo: (record: Import) => boolean): Promise<Import>
  untilEnded(made: Import): Promise<Import>
  /** Returns the stored film of a video. */
  storedFilm(video_id: string | null): Promise<Buffer>
  /** Returns the number of partially received films. */
  uploadsLeft(): Promise<number>
  stopWorker(): Promise<void>
  startWorker(): void
  stop(): Promise<void>
}

/** Imports may reach these networks and public addresses. */
export async function openImports(networks: readonly string[] = ['127.0.0.1']): Promise<ImportGround> {
  const api = await startApi()
  const films = await startFilmServer()
  const isReachable = (address: string) => networks.includes(address)
  const work = () => openWorker({ ...api, media: { ...api.media, isReachable } })
  let worker = work()
  const { video_imports: imports } = api.as('admin')

  async function until(id: string, isSo: (record: Import) => boolean): Promise<Import> {
    let record = await imports.get(id)
    for (let tries = 0; tries < 6000 && !isSo(record); tries += 1) {
      await delay(25)
      record = await imports.get(id)
    }
    assert.ok(isSo(record), JSON.stringify(record))
    return record
  }

  return {
    api,
    films,
    start: (path = '/film.mp4') => imports.create({ source_url: films.url + path }),
    until,
    untilEnded: ({ _id }) => until(_id, ({ finished_at }) => finished_at !== null),
    async storedFilm(video_id) {
      const rows = await api.database.db<
        { _id: string }[]
      >`select _id from sources where video_id = ${video_id}`
      const object = await api.media.storage.read(sourceKey(rows[0]?._id ?? ''))
      const chunks: Buffer[] = []
      for await (const chunk of object?.body ?? []) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks)
    },
    async uploadsLeft() {
      let count = 0
      for await (const _ of api.media.storage.listUploads()) count += 1
      return count
    },
    stopWorker: () => worker.stop(),
    startWorker() {
      worker = work()
    },
    async stop() {
      await worker.stop()
      await films.stop()
      await api.stop()
    },
  }
}
