import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startOwnApi, type TestApi } from '../support/api.js'
import { ask, lenient } from './ask.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
})
after(() => api.stop())

const names = ['hls_240p', 'hls_360p', 'hls_480p', 'hls_720p', 'hls_1080p', 'webm_360p', 'mp4_360p'] as const

for (const format of formats) {
  test(`a channel publishes every format by default (${format})`, async () => {
    const made = await api.other.as('admin', format).formats.get()
    assert.equal(made._id, api.other.channel._id)
    for (const name of names) assert.equal(made[name], true)
  })

  test(`formats are turned off and on, and the others stay as they are (${format})`, async () => {
    const client = api.as('admin', format).formats
    const before = await client.get()
    const changed = await client.update({ hls_1080p: false, webm_360p: false })
    assert.deepEqual(changed, {
      ...before,
      hls_1080p: false,
      webm_360p: false,
      updated_at: changed.updated_at,
    })
    assert.deepEqual(await client.get(), changed)
    assert.equal((await api.other.as('admin', format).formats.get()).hls_1080p, true)
    const back = await client.update({ hls_1080p: true, webm_360p: true })
    assert.deepEqual(back, { ...before, updated_at: back.updated_at })
  })

  test(`a format accepts only true and false (${format})`, async () => {
    const headers = {
      ...lenient,
      'x-api-key': api.channel.keys.admin,
      'content-type': 'application/x-www-form-urlencoded',
    }
    const put = (body: string) =>
      ask(`${api.url}/settings/formats.${format}`, 'json', { method: 'PUT', headers, body })
    const refused = await put('formats[hls_240p]=sometimes')
    assert.equal(refused.status, 422)
    assert.deepEqual(Object.keys(refused.body.errors), ['hls_240p'])
    const taken = await put('formats[hls_240p]=false&formats[vhs]=true')
    assert.deepEqual([taken.status, taken.body.response.hls_240p], [200, false])
    assert.equal((await put('formats[hls_240p]=true')).body.response.hls_240p, true)
  })

  test(`nobody but the admin key sees or changes formats (${format})`, async () => {
    for (const who of ['read_only', 'player', 'app'] as const) {
      await assert.rejects(api.as(who, format).formats.get(), { status: 403 })
      await assert.rejects(api.as(who, format).formats.update({ hls_240p: false }), { status: 403 })
    }
    const headers = { 'x-api-key': api.channel.keys.admin }
    for (const method of ['POST', 'DELETE'])
      assert.equal((await ask(`${api.url}/settings/formats`, format, { method, headers })).status, 405)
  })

  test(`a video can override formats (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const own = { hls_1080p: false, mp4_360p: true }
    const made = await videos.create({ title: 'Own', formats: own })
    assert.deepEqual(made.formats, own)
    const changed = await videos.update(made._id, { formats: { webm_360p: 'false' }, active: false })
    assert.deepEqual([changed.formats, changed.active], [{ webm_360p: false }, false])
    assert.deepEqual((await videos.update(made._id, { formats: {} })).formats, {})
  })

  test(`unknown formats and values other than true and false are rejected (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const { _id } = await videos.create({ title: 'Refusing' })
    for (const [own, why] of [
      [{ vhs: true }, /has no format vhs; there are hls_240p, /],
      [{ hls_240p: 'maybe' }, /hls_240p must be true or false/],
      [{ hls_240p: '' }, /hls_240p must be true or false/],
    ] as const) {
      const refusal = (error: { status: number; errors: { formats: string[] } }) => {
        assert.equal(error.status, 422)
        assert.match(error.errors.formats.join(), why)
        return true
      }
      await assert.rejects(videos.create({ title: 'No', formats: own }), refusal)
      await assert.rejects(videos.update(_id, { formats: own }), refusal)
    }
    assert.deepEqual((await videos.get(_id)).formats, {})
  })
}

test('the channels that are made later have formats too', async () => {
  const [row] = await api.database.db<{ channels: number; formats: number }[]>`
    select (select count(*)::integer from channels) as channels, (select count(*)::integer from formats) as formats
  `
  assert.equal(row?.formats, row?.channels)
})

test('a film that is uploaded with formats that do not exist is refused', async () => {
  const form = new FormData()
  form.set('video[title]', 'Film')
  form.set('video[formats][vhs]', 'true')
  form.set('source', new Blob(['anything']), 'film.mp4')
  const reply = await fetch(`${api.url}/uploads?api_key=${api.channel.keys.admin}`, {
    method: 'POST',
    body: form,
  })
  assert.equal(reply.status, 422)
})
