import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

for (const format of formats) {
  test(`the account is the channel's own record (${format})`, async () => {
    const { account } = api.as('admin', format)
    const { _id, site_id, title, first_page } = await account.get()
    const { channel } = api.channel
    assert.deepEqual([_id, site_id, title, first_page], [channel._id, channel._id, channel.title, 0])
  })

  test(`an update of the account changes what is given and nothing else (${format})`, async () => {
    const { account } = api.as('admin', format)
    const before = await account.get()
    const theirs = await api.other.as('admin').account.get()
    const changed = await account.update({ theoplayer_version: `2.0 (${format})` })
    const expected = { ...before, theoplayer_version: `2.0 (${format})`, updated_at: changed.updated_at }
    assert.deepEqual(changed, expected)
    assert.deepEqual(await account.get(), expected)
    assert.deepEqual(await api.other.as('admin').account.get(), theirs)
  })

  test(`a channel keeps a title (${format})`, async () => {
    const { account } = api.as('admin', format)
    await assert.rejects(account.update({ title: '' }), {
      status: 422,
      errors: { title: ['must not be empty'] },
    })
    await assert.rejects(account.update({ title: null as never }), { status: 422 })
    await assert.rejects(account.update({ title: ' \t' }), { status: 422 })
    const { title } = await account.get()
    assert.equal((await account.update({ title: `  ${title} ` })).title, title)
  })

  test(`account[first_page] can be set from a form, as existing apps do (${format})`, async () => {
    const headers = {
      'x-api-key': api.channel.keys.admin,
      'content-type': 'application/x-www-form-urlencoded',
    }
    for (const first of ['1', '0']) {
      const body = `account[first_page]=${first}`
      const reply = await ask(`${api.url}/account.${format}`, 'json', { method: 'PUT', headers, body })
      assert.deepEqual([reply.status, reply.body.response.first_page], [200, Number(first)])
    }
  })

  test(`only the admin key sees the account (${format})`, async () => {
    for (const who of ['read_only', 'player', 'app'] as const) {
      await assert.rejects(api.as(who, format).account.get(), { status: 403 })
      await assert.rejects(api.as(who, format).account.update({ title: 'x' }), { status: 403 })
    }
  })

  test(`the account can be neither created nor removed nor addressed by an id (${format})`, async () => {
    const headers = { 'x-api-key': api.channel.keys.admin }
    for (const method of ['POST', 'DELETE'])
      assert.equal((await ask(`${api.url}/account`, format, { method, headers })).status, 405)
    assert.equal(
      (await ask(`${api.url}/account/${api.channel.channel._id}`, format, { headers })).status,
      404,
    )
    assert.equal((await ask(`${api.url}/channels`, format, { headers })).status, 404)
  })
}
