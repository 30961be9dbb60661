import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startOwnApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
  // A missing table is a server error for every request.
  await api.database.db`alter table apps rename to lost_apps`
})
after(() => api.stop())

for (const format of formats) {
  test(`7 500 for an error on the service's side, with a message (${format})`, async () => {
    const { status, body } = await ask(`${api.url}/apps?api_key=${api.channel.keys.admin}`, format)
    assert.equal(status, 500)
    assert.equal(body.code, 'server_error')
    assert.equal(typeof body.message, 'string')
    assert.ok(body.request_id)
  })

  test(`7 an error on the service's side tells the caller nothing about its inside (${format})`, async () => {
    const { text } = await ask(`${api.url}/apps?api_key=${api.channel.keys.admin}`, format)
    assert.doesNotMatch(text, /relation|apps|select|postgres|\.ts|at /i)
  })
}
