import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readdressPictures } from '../../packages/server/src/jobs/readdress-pictures.job.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { jobContext } from '../support/job-context.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
})
after(() => api.stop())

const png = Buffer.from('89504e470d0a1a0a0000000d494844520000028000000168', 'hex').toString('base64')
const elsewhere = `https://films.example/images/${'a'.repeat(24)}/${'b'.repeat(32)}.png`
const moved = 'https://play.example/p'
const readdress = (mediaUrl: string) => readdressPictures.run({}, { ...jobContext(api), mediaUrl })

/** Creates a video with pictures, as the jobs leave it. */
async function pictured(): Promise<string> {
  const { _id } = await api.as('admin').videos.create({ title: 'Pictured' })
  const folder = `${api.url}/pictures/${'c'.repeat(24)}`
  const thumbnails = [240, 480].map((width) => ({
    url: `${folder}/poster-${width}-${'0'.repeat(16)}.jpg`,
    width,
  }))
  await api.database.db`
    update videos set thumbnails = ${JSON.stringify(thumbnails)}::text::jsonb,
      preview_url = ${`${folder}/preview-${'1'.repeat(16)}.webp`} where _id = ${_id}
  `
  return _id
}

test('pictures follow the player to another address, and what lies elsewhere stays there', async () => {
  const { videos, playlists, zobject_types, zobjects } = api.as('admin')
  const id = await pictured()
  const { _id: other } = await videos.create({ title: 'Elsewhere', custom_thumbnail_url: elsewhere })
  const custom = await videos.create({ title: 'Custom', custom_thumbnail: png })
  const made = await playlists.create({
    title: 'Pictured',
    custom_thumbnail: png,
    images_attributes: [{ attachment: png }],
  })
  await zobject_types.create({ title: 'actor' })
  const pictures_attributes = [{ attachment: png }]
  const actor = await zobjects.create({ zobject_type: 'actor', title: 'Ada', pictures_attributes })
  const read = async () => ({
    video: await videos.get(id),
    custom: await videos.get(custom._id),
    playlist: await playlists.get(made._id),
    actor: await zobjects.get(actor._id, { query: { zobject_type: 'actor' } }),
  })
  const before = await read()

  await readdress(moved)
  const after = await read()
  assert.deepEqual(after, JSON.parse(JSON.stringify(before).replaceAll(api.url, moved)))
  assert.match(
    after.video.thumbnails[1]?.url ?? '',
    /^https:\/\/play\.example\/p\/pictures\/c{24}\/poster-480-/,
  )
  assert.match(after.custom.thumbnails[0]?.url ?? '', /^https:\/\/play\.example\/p\/images\//)
  assert.match(after.playlist.custom_thumbnail_url ?? '', /^https:\/\/play\.example\/p\/images\//)
  assert.equal((await videos.get(other)).custom_thumbnail_url, elsewhere)

  await readdress(api.url)
  assert.deepEqual(await read(), before)
})
