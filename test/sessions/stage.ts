import assert from 'node:assert/strict'
import { ask as askStrictly, lenient } from '../api/ask.js'
import { startApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadFilm } from '../support/media.js'

/** Sends a request as existing programs do: they do not ask for strictness. */
export const ask: typeof askStrictly = (address, format, init = {}) =>
  askStrictly(address, format, {
    ...init,
    headers: { ...lenient, ...(init.headers as Record<string, string>) },
  })

/** A channel set up by its publisher. It counts pages from one, as the hosted service does. */
export interface Stage {
  readonly api: TestApi
  /** Free for everyone, and ready. */
  readonly film: string
  /** For subscribers. */
  readonly premiere: string
  /** The playlist that an app opens first. It contains `film` and `premiere`. */
  readonly featured: string
  readonly plan: string
}

export async function setStage(): Promise<Stage> {
  const api = await startApi()
  const admin = api.as('admin')
  await admin.account.update({ first_page: 1 })
  const film = await readyFilm(api, { 'video[title]': 'Harbour' })
  const premiere = await admin.videos.create({ title: 'Premiere', subscription_required: true })
  const featured = await admin.playlists.create({ title: 'Featured' })
  await admin.playlists.addVideos(featured._id, { video_id: [film, premiere._id] })
  const plan = await admin.plans.create({
    name: 'Monthly',
    active: true,
    amount: '4.99',
    currency: 'USD',
    interval: 'month',
    interval_count: 1,
    entitlement_type: 'global',
  })
  return { api, film, premiere: premiere._id, featured: featured._id, plan: plan._id }
}

async function readyFilm(api: TestApi, fields: Readonly<Record<string, string>>): Promise<string> {
  const worker = openWorker(api)
  const { _id } = await uploadFilm(api, await makeClip({ seconds: 2, size: '320x180' }), fields)
  assert.equal((await untilPrepared(api, _id)).status, 'ready')
  await worker.stop()
  return _id
}

const addressesIn = (playlist: string) => playlist.match(/http:\/\/[^"\s]+/g) ?? []

/** Plays as a player does: the master playlist, a rendition, its first segment. Returns the size of the segment. */
export async function watch(manifest: string): Promise<number> {
  const master = await fetch(manifest)
  assert.equal(master.status, 200)
  const [rendition = ''] = addressesIn(await master.text()).filter((url) => url.includes('/hls_'))
  const playlist = await (await fetch(rendition)).text()
  const [segment = ''] = playlist.match(/^[^#\s]+\.m4s$/m) ?? []
  const reply = await fetch(new URL(segment, rendition))
  assert.equal(reply.status, 200)
  return (await reply.arrayBuffer()).byteLength
}

export const formType = 'application/x-www-form-urlencoded'

/** Encodes a form as simple clients do: nothing escaped, and an ampersand at the end. */
export const looseForm = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${value}&`)
    .join('')

/** A response of the player, as a TV box or a phone reads it. */
export interface PlayerData {
  readonly body: {
    readonly outputs: readonly { readonly name: string; readonly url: string }[]
    readonly files: readonly { readonly name: string; readonly url: string }[]
    readonly subtitles: readonly unknown[]
  }
  readonly video: { readonly title: string; readonly duration: number }
}
