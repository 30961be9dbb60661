import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { limitStorage } from '../../packages/server/src/auth/channels.js'
import { purgeRemoved } from '../../packages/server/src/jobs/purge-removed.job.js'
import { formats, startApi, type TestApi } from '../support/api.js'
import { contextOf } from '../support/media.js'
import { newVideo } from './access-targets-videos.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

/** Returns a PNG header, which is all that the server reads, followed by unique bytes. */
function png(width = 640, height = 360, end: string = randomUUID()): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width)
  size.writeUInt32BE(height, 4)
  return Buffer.concat([head, size, Buffer.from(end)])
}
const base64 = (bytes: Buffer) => bytes.toString('base64')
const filesOf = (owner: string) => api.database.db`select from image_files where owner_id = ${owner}`

test("images count towards the channel's limit, and are rejected beyond it", async () => {
  const { db } = api.database
  const site = api.other.channel._id
  const { videos, playlists, account } = api.other.as('admin')
  const image = (bytes: number) => base64(png(640, 360, 'x'.repeat(bytes - 24)))
  const used = async () => (await account.get()).storage_bytes
  await limitStorage(db, site, 1000)
  const playlist = await playlists.create({ title: 'One', images_attributes: [{ attachment: image(600) }] })
  assert.equal(await used(), 600)
  const tooLarge = { status: 413, message: /may keep 1,000 bytes and has 600 bytes/ }
  await assert.rejects(videos.create({ title: 'Two', custom_thumbnail: image(401) }), tooLarge)
  assert.deepEqual((await videos.list()).response, [])

  const video = await videos.create({ title: 'Two', custom_thumbnail: image(400) })
  assert.equal(await used(), 1000)
  // A replacement only needs space for the difference in size.
  await videos.update(video._id, { custom_thumbnail: image(400) })
  const id = playlist.images[0]?._id ?? ''
  const replaced = (bytes: number) =>
    playlists.update(playlist._id, { images_attributes: [{ id, attachment: image(bytes) }] })
  await assert.rejects(replaced(601), { status: 413 })
  await replaced(500)
  assert.equal(await used(), 900)
  await videos.remove(video._id)
  assert.equal(await used(), 500)
  await limitStorage(db, site, 'default')
})

for (const format of formats) {
  for (const kind of ['videos', 'playlists'] as const)
    test(`images of ${kind} are made, changed, replaced and removed (${format})`, async () => {
      const records = api.as('admin', format)[kind]
      const one = png()
      const made = await records.create({
        title: 'Horse',
        images_attributes: [
          { title: 'Wide', attachment: base64(one) },
          { layout: 'poster', caption: 'Tall', attachment: base64(png(200, 300)) },
        ],
      })
      assert.deepEqual(
        made.images.map(({ title, caption, layout, width, height }) => [
          title,
          caption,
          layout,
          width,
          height,
        ]),
        [
          ['Wide', null, 'landscape', 640, 360],
          [null, 'Tall', 'poster', 200, 300],
        ],
      )
      const [wide, tall] = made.images
      const reply = await fetch(wide?.url ?? '')
      assert.deepEqual([reply.status, reply.headers.get('content-type')], [200, 'image/png'])
      assert.deepEqual(Buffer.from(await reply.arrayBuffer()), one)

      const changed = await records.update(made._id, {
        images_attributes: [
          { id: wide?._id ?? '', caption: 'Muybridge', attachment: base64(png(320, 180)) },
          { id: tall?._id ?? '', _destroy: true },
        ],
      })
      assert.equal(changed.images.length, 1)
      const [image] = changed.images
      assert.deepEqual(
        [image?._id, image?.title, image?.caption, image?.width],
        [wide?._id, 'Wide', 'Muybridge', 320],
      )
      assert.notEqual(image?.url, wide?.url)
      for (const gone of [wide?.url, tall?.url]) assert.equal((await fetch(gone ?? '')).status, 404)
      assert.equal((await fetch(image?.url ?? '')).status, 200)
      assert.deepEqual((await api.as('app', format)[kind as 'videos'].get(made._id)).images, changed.images)
      assert.equal((await filesOf(made._id)).length, 1)
    })

  test(`a thumbnail can be sent as a file and removed (${format})`, async () => {
    for (const kind of ['videos', 'playlists'] as const) {
      const records = api.as('admin', format)[kind]
      const made = await records.create({ title: 'Horse', custom_thumbnail: base64(png()) })
      const url = made.custom_thumbnail_url ?? ''
      const shown = { url, width: 640, height: 360, aspect_ratio: 1.78, name: 'custom' }
      assert.deepEqual(made.thumbnails, [shown])
      assert.equal((await fetch(url)).status, 200)
      const other = await records.update(made._id, { custom_thumbnail: base64(png()) })
      assert.notEqual(other.custom_thumbnail_url, url)
      assert.equal((await fetch(url)).status, 404)
      const none = await records.update(made._id, { delete_custom_thumbnail: true })
      assert.equal(none.custom_thumbnail_url, null)
      assert.deepEqual(none.thumbnails, [])
      const elsewhere = 'https://pictures.example/horse.jpg'
      const linked = await records.update(made._id, { custom_thumbnail_url: elsewhere })
      const unknown = { width: null, height: null, aspect_ratio: null, name: 'custom' }
      assert.deepEqual(linked.thumbnails, [{ url: elsewhere, ...unknown }])
      assert.deepEqual((await api.as('admin', format)[kind as 'videos'].list({ id: made._id })).response, [
        linked,
      ])
      assert.equal((await filesOf(made._id)).length, 0)
    }
  })

  test(`zobjects have pictures (${format})`, async () => {
    const { zobject_types, zobjects } = api.as('admin', format)
    const zobject_type = randomUUID()
    await zobject_types.create({ title: zobject_type })
    const pictures_attributes = [{ title: 'Face', attachment: base64(png()) }]
    const made = await zobjects.create({ zobject_type, title: 'Someone', pictures_attributes })
    const [face] = made.pictures
    assert.deepEqual([face?.title, face?.content_type], ['Face', 'image/png'])
    assert.equal((await fetch(face?.url ?? '')).status, 200)
    const changed = await zobjects.update(made._id, {
      zobject_type,
      pictures_attributes: [
        { id: face?.id ?? '', _destroy: true },
        { caption: 'Hands', attachment: base64(png()) },
      ],
    })
    assert.deepEqual(
      changed.pictures.map(({ caption }) => caption),
      ['Hands'],
    )
    await zobjects.remove(made._id, { query: { zobject_type } })
    assert.equal((await filesOf(made._id)).length, 0)
  })

  test(`a change without a valid image, or of another record's image, is rejected and changes nothing (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const made = await videos.create({ title: 'Horse', images_attributes: [{ attachment: base64(png()) }] })
    const foreign = await api.other
      .as('admin')
      .videos.create({ title: 'Theirs', images_attributes: [{ attachment: base64(png()) }] })
    const id = foreign.images[0]?._id ?? ''
    const refused = [
      [422, { images_attributes: [{ attachment: base64(Buffer.from('<svg onload="alert(1)"/>')) }] }],
      [422, { images_attributes: [{ title: 'No file' }] }],
      [422, { images_attributes: [{ attachment: base64(png(8, 8)) }] }],
      [422, { images_attributes: Array.from({ length: 20 }, () => ({ attachment: base64(png()) })) }],
      [404, { images_attributes: [{ id, title: 'Mine' }] }],
      [404, { images_attributes: [{ id, _destroy: true }] }],
      [422, { custom_thumbnail: base64(Buffer.from('GIF, or so it says')) }],
    ] as const
    for (const [status, fields] of refused)
      await assert.rejects(videos.update(made._id, { title: 'Changed', ...fields } as never), { status })
    assert.deepEqual(await videos.get(made._id), made)
    assert.deepEqual((await api.other.as('admin').videos.get(foreign._id)).images, foreign.images)
  })
}

test('images come as parts of a multipart body, each to its own object', async () => {
  const key = `api_key=${api.channel.keys.admin}`
  const form = (prefix: string) => {
    const body = new FormData()
    body.append(`${prefix}[title]`, 'Horse')
    for (const title of ['One', 'Two']) {
      body.append(`${prefix}[images_attributes][][title]`, title)
      body.append(
        `${prefix}[images_attributes][][attachment]`,
        new Blob([new Uint8Array(png())]),
        `${title}.png`,
      )
    }
    body.append(`${prefix}[custom_thumbnail]`, new Blob([new Uint8Array(png())]), 'thumb.png')
    return body
  }
  const video = await newVideo(api.channel)
  const calls = [
    ['POST', '/videos', 'video', 201],
    ['PUT', `/videos/${video}`, 'video', 200],
    ['POST', '/playlists', 'playlist', 201],
  ] as const
  for (const [method, path, prefix, success] of calls) {
    const { status, text, body } = await ask(`${api.url}${path}?${key}`, 'json', {
      method,
      body: form(prefix),
    })
    assert.equal(status, success, text)
    const { images, custom_thumbnail_url } = body.response as unknown as {
      images: { title: string; url: string }[]
      custom_thumbnail_url: string
    }
    assert.deepEqual(
      images.map(({ title }) => title),
      ['One', 'Two'],
    )
    for (const url of [...images.map((image) => image.url), custom_thumbnail_url])
      assert.equal((await fetch(url)).status, 200)
  }
})

test('unknown image URLs return nothing, and images are removed with their video', async () => {
  const { videos } = api.as('admin')
  const made = await videos.create({ title: 'Horse', images_attributes: [{ attachment: base64(png()) }] })
  const url = made.images[0]?.url ?? ''
  for (const wrong of [url.replace(/\w{32}\./, `${'0'.repeat(32)}.`), `${url}x`, url.replace('png', 'gif')])
    assert.equal((await fetch(wrong)).status, 404)
  await videos.remove(made._id)
  assert.equal((await filesOf(made._id)).length, 1)
  await api.database
    .db`update videos set deleted_at = now() - interval '31 days', status = 'deleted' where _id = ${made._id}`
  await purgeRemoved.run({}, contextOf(api))
  assert.equal((await filesOf(made._id)).length, 0)
})
