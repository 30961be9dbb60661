import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { HostedOperation } from '../../packages/server/src/api/hosted-operations.js'
import { formats, startApi, type TestApi } from '../support/api.js'
import { coverageOf, nameOf } from '../support/coverage.js'
import { readSources } from '../support/sources.js'
import { ask } from './ask.js'

let api: TestApi
let missing: readonly HostedOperation[]
before(async () => {
  api = await startApi()
  missing = coverageOf(await readSources('packages', 'test')).missing
})
after(() => api.stop())

const withIds = (path: string) => path.replace(/\{[^}]*\}/g, 'a'.repeat(24))

for (const format of formats)
  test(`each operation of the hosted service that is not offered says so (${format})`, async () => {
    for (const { method, path } of missing) {
      const { status, body } = await ask(api.url + withIds(path), format, {
        method,
        headers: { 'x-api-key': api.channel.keys.admin },
      })
      assert.deepEqual(
        [status, body.code, body.message],
        [
          404,
          'not_offered',
          `Zoetrope does not offer ${nameOf({ method, path })}. What it offers is at /docs.`,
        ],
      )
    }
  })

test('operations that are not offered say so with CORS, with a trailing slash, and without a key', async () => {
  const reply = await ask(`${api.url}/live_events/?page=1`, 'json', {
    headers: { origin: 'https://app.example' },
  })
  assert.equal(reply.body.code, 'not_offered')
  assert.equal(reply.headers.get('access-control-allow-origin'), 'https://app.example')
})

test('a method that is not offered names its replacement', async () => {
  const id = 'a'.repeat(24)
  const { body } = await ask(`${api.url}/live_events/${id}/start?_method=put`, 'json', { method: 'POST' })
  assert.equal(body.message, 'Zoetrope does not offer /live_events/{id}/start. What it offers is at /docs.')
})

test('unknown paths, methods and ids return the usual errors', async () => {
  const key = { 'x-api-key': api.channel.keys.admin }
  const nowhere = await ask(`${api.url}/nowhere`, 'json', { headers: key })
  assert.deepEqual([nowhere.status, nowhere.body.code], [404, 'not_found'])
  const patch = await ask(`${api.url}/videos`, 'json', { method: 'PUT', headers: key })
  assert.deepEqual([patch.status, patch.body.code], [405, 'method_not_allowed'])
  const unknown = await ask(`${api.url}/playlists/relationship`, 'json', { headers: key })
  assert.deepEqual([unknown.status, unknown.body.message], [404, 'Playlist not found'])
  const film = await ask(`${api.url}/embed/${'a'.repeat(24)}.js?api_key=${key['x-api-key']}`)
  assert.equal(film.status, 404)
  assert.doesNotMatch(film.text, /not_offered/)
})

test('a carousel has no JSON, and its error names the available formats', async () => {
  for (const format of formats) {
    const { status, body } = await ask(`${api.url}/playlists/${'a'.repeat(24)}/carousel.${format}`, format)
    assert.equal(status, 404)
    assert.match(body.message, /carousel\.html or carousel\.js/)
  }
})
