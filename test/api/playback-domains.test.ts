import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'

let api: TestApi
let id: string
before(async () => {
  api = await startOwnApi()
  const worker = openWorker(api)
  const { _id } = await uploadClip(api, await makeClip({ seconds: 1 }), 'Harbour')
  id = _id
  await untilPrepared(api, id)
  await worker.stop()
})
after(() => api.stop())

const listed = ['example.com', '*.example.org', 'localhost:3000']
beforeEach(async () => {
  await api.as('admin').account.update({ embed_domains: listed })
})

const paths = () => [`/embed/${id}`, `/embed/${id}.js`, `/embed/${id}.html`, `/manifest/${id}.m3u8`]
interface Told {
  readonly origin?: string
  readonly referer?: string
}
const ask = (path: string, query: string, headers: Told = {}) =>
  fetch(`${api.url}${path}?${query}`, { headers: { ...headers } })
const player = () => `api_key=${api.channel.keys.player}`

test('player and read-only keys work on the sites of the list', async () => {
  for (const key of ['player', 'read_only'] as const)
    for (const path of paths())
      for (const headers of [
        { origin: 'https://example.com' },
        { referer: 'https://www.example.org/a/page' },
        { referer: 'http://localhost:3000/' },
        { referer: `${api.url}/docs` },
      ])
        assert.equal((await ask(path, `api_key=${api.channel.keys[key]}`, headers)).status, 200, path)
})

test('on other sites, and without a site, they are refused with a message', async () => {
  for (const path of paths())
    for (const headers of [
      {},
      { origin: 'null' },
      { origin: '' },
      { referer: '' },
      { origin: 'https://evil-example.com' },
      { referer: 'https://example.com.evil.test/' },
      { referer: 'https://example.com@evil.test/' },
      { origin: 'https://evil.test', referer: 'https://example.com/' },
    ]) {
      const reply = await ask(path, player(), headers)
      assert.equal(reply.status, 403, `${path} ${JSON.stringify(headers)}`)
      assert.match(await reply.text(), /Its publisher shows this video on certain sites only/)
    }
  const refused = (await (await ask(`/embed/${id}`, player())).json()) as { code: string }
  assert.equal(refused.code, 'wrong_site')
})

test('a page names the sites that may frame it in its CSP', async () => {
  const policyOf = async (query: string) =>
    (await ask(`/embed/${id}.html`, query, { referer: 'https://example.com/' })).headers.get(
      'content-security-policy',
    ) ?? ''
  assert.match(
    await policyOf(player()),
    /; frame-ancestors 'self' http:\/\/127\.0\.0\.1:\d+ https:\/\/example\.com:\* /,
  )
  assert.doesNotMatch(await policyOf(`app_key=${api.channel.app_key}`), /frame-ancestors/)
  await api.as('admin').account.update({ embed_domains: [] })
  assert.doesNotMatch(await policyOf(player()), /frame-ancestors/)
})

test('app keys, access tokens and admin keys are not bound to sites', async () => {
  const { access_token } = await api.channel.consumer()
  for (const query of [
    `api_key=${api.channel.keys.admin}`,
    `app_key=${api.channel.app_key}`,
    `access_token=${access_token}`,
  ])
    for (const path of paths()) assert.equal((await ask(path, query)).status, 200, path)
})

test('signed URLs are not bound to sites', async () => {
  const playlist = await (await ask(`/manifest/${id}`, player(), { origin: 'https://example.com' })).text()
  for (const address of playlist.match(/http:[^"\s]+/g) ?? [])
    assert.equal((await fetch(address)).status, 200)
})

test('the list of sites accepts only valid hosts', async () => {
  const { account } = api.as('admin')
  const good = ['example.com', '*.example.com', 'localhost', '127.0.0.1:8080', 'xn--bcher-kva.example']
  assert.deepEqual((await account.update({ embed_domains: good })).embed_domains, good)
  for (const bad of [
    'https://example.com',
    '*',
    '*.',
    'a.*.com',
    'example.com/',
    "x'; script-src *",
    'a b',
    'ex.com:',
    '.com',
    'a..b',
  ])
    await assert.rejects(account.update({ embed_domains: [bad] }), { status: 422 }, bad)
  await assert.rejects(
    account.update({ embed_domains: Array.from({ length: 101 }, (_, n) => `a${n}.com`) }),
    {
      status: 422,
    },
  )
})
