import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const basic = (name: string) => ({ Authorization: `Basic ${Buffer.from(`${name}:`).toString('base64')}` })

const places: readonly (readonly [
  about: string,
  place: (api: TestApi) => [query: string, headers: object],
])[] = [
  ['the query parameter api_key', ({ channel }) => [`?api_key=${channel.keys.read_only}`, {}]],
  ['the query parameter app_key', ({ channel }) => [`?app_key=${channel.app_key}`, {}]],
  ['the header X-Api-Key', ({ channel }) => ['', { 'X-Api-Key': channel.keys.read_only }]],
  ['the header X-Zype-Key', ({ channel }) => ['', { 'X-Zype-Key': channel.keys.read_only }]],
  ['the header X-App-Key', ({ channel }) => ['', { 'X-App-Key': channel.app_key }]],
  ['the header X-Zype-App-Key', ({ channel }) => ['', { 'X-Zype-App-Key': channel.app_key }]],
  ['a bearer', ({ channel }) => ['', { Authorization: `Bearer ${channel.keys.read_only}` }]],
  ['a bearer that is an app key', ({ channel }) => ['', { Authorization: `Bearer ${channel.app_key}` }]],
]

for (const format of formats) {
  for (const [about, place] of places)
    test(`a credential is accepted from ${about} (${format})`, async () => {
      const [query, headers] = place(api)
      const { status } = await ask(`${api.url}/videos${query}`, format, { headers: { ...headers } })
      assert.equal(status, 200)
      const wrong = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}x`]))
      const refused = await ask(`${api.url}/videos${query && `${query}x`}`, format, { headers: wrong })
      assert.deepEqual([refused.status, refused.body.message], [401, 'Invalid or missing authentication.'])
    })

  test(`a token is taken from the header Authorization: Bearer (${format})`, async () => {
    const headers = { authorization: `Bearer ${'0'.repeat(64)}` }
    assert.equal((await ask(`${api.url}/videos`, format, { headers })).status, 401)
    const both = { ...headers, 'x-api-key': api.channel.keys.admin }
    assert.equal((await ask(`${api.url}/videos`, format, { headers: both })).status, 401)
  })

  test(`an API key in a header beside an access token does not change what is visible (${format})`, async () => {
    const { access_token } = await api.channel.consumer()
    const { keys, app_key } = api.channel
    const hidden = await api.as('admin').videos.create({ title: 'Hidden', active: false })
    const list = `${api.url}/videos?id=${hidden._id}&access_token=${access_token}`
    for (const name of ['x-api-key', 'x-zype-key'])
      for (const key of [keys.admin, keys.read_only, keys.player]) {
        const { status, body } = await ask(list, format, { headers: { [name]: key } })
        assert.deepEqual([status, body.response], [200, []])
        const all = await ask(`${list}&active=all`, format, { headers: { [name]: key } })
        assert.equal(all.status, 403, all.body.message)
      }
    const refused: [string, Record<string, string>][] = [
      [`${list}&api_key=${keys.admin}`, {}],
      [list, { 'x-app-key': app_key }],
      [list, { 'x-api-key': keys.admin, 'x-zype-key': keys.admin }],
      [list, { 'x-api-key': api.other.keys.read_only }],
      [list, { 'x-api-key': keys.admin, authorization: `Bearer ${access_token}` }],
    ]
    for (const [address, headers] of refused)
      assert.equal((await ask(address, format, { headers })).status, 422, Object.keys(headers).join())
  })

  test(`a key as bearer or Basic counts as one credential (${format})`, async () => {
    const { access_token } = await api.channel.consumer()
    const { keys } = api.channel
    const hidden = await api.as('admin').videos.create({ title: 'Hidden', active: false })
    const statusOf = async (query: string, headers: Record<string, string>) =>
      (await ask(`${api.url}/videos${query}`, format, { headers })).status
    for (const headers of [{ Authorization: `Bearer ${keys.admin}` }, basic(keys.admin)]) {
      const list = `${api.url}/videos?id=${hidden._id}&access_token=${access_token}`
      const beside = await ask(list, format, { headers })
      assert.deepEqual([beside.status, beside.body.response], [200, []])
      assert.equal(await statusOf('?active=all', headers), 200)
      assert.equal(await statusOf('', { ...headers, 'x-api-key': keys.admin }), 422)
      assert.equal(await statusOf(`?api_key=${keys.admin}`, headers), 422)
    }
    // A proxy in front of the server may ask for a password of its own.
    assert.equal(await statusOf(`?api_key=${keys.admin}`, basic('proxy')), 200)
    for (const name of ['proxy', `${keys.admin}x`]) assert.equal(await statusOf('', basic(name)), 401)
  })

  test(`a 401 says where a key goes (${format})`, async () => {
    const { body, headers } = await ask(`${api.url}/videos`, format)
    assert.equal(body.message, 'Invalid or missing authentication.')
    assert.match(body.hint, /Authorization: Bearer.*api_key/)
    assert.match(headers.get('www-authenticate') ?? '', /^Bearer/)
  })

  test(`player requests also accept an API key in a header beside an access token (${format})`, async () => {
    const { access_token } = await api.channel.consumer()
    const { _id } = await api.as('admin').videos.create({ title: 'Nothing to play yet' })
    const embed = `${api.url}/embed/${_id}?access_token=${access_token}`
    const alone = await ask(embed, format)
    const both = await ask(embed, format, { headers: { 'x-api-key': api.channel.keys.player } })
    const wrong = await ask(embed, format, { headers: { 'x-api-key': api.other.keys.player } })
    assert.deepEqual([both.status, wrong.status], [alone.status, 422])
  })

  test(`an empty credential is none (${format})`, async () => {
    const { status } = await ask(`${api.url}/videos?api_key=&app_key=&access_token=`, format)
    assert.equal(status, 401)
    const { admin } = api.channel.keys
    assert.equal((await ask(`${api.url}/videos?api_key=${admin}&app_key=`, format)).status, 200)
  })

  test(`two credentials at once, or one twice, are refused (${format})`, async () => {
    const { keys, app_key } = api.channel
    const twice: [string, Record<string, string>][] = [
      [`?api_key=${keys.admin}&app_key=${app_key}`, {}],
      [`?api_key=${keys.admin}&api_key=${keys.admin}`, {}],
      [`?api_key[]=${keys.admin}&api_key[]=${keys.read_only}`, {}],
      [`?api_key=${keys.admin}`, { 'x-api-key': keys.admin }],
      [`?api_key=${keys.admin}`, { 'x-app-key': app_key }],
      ['', { 'x-api-key': keys.admin, 'x-zype-key': keys.admin }],
      ['', { 'x-api-key': keys.admin, 'x-app-key': app_key }],
      ['', { 'x-api-key': `${keys.admin}, ${keys.admin}` }],
      [`?access_token=x`, { authorization: 'Bearer x' }],
    ]
    for (const [query, headers] of twice) {
      const { status, body } = await ask(`${api.url}/videos${query}`, format, { headers })
      assert.deepEqual([status, body.code], [422, 'invalid'], query + Object.keys(headers))
      assert.match(body.message, /exactly one credential/)
    }
  })

  test(`a credential with any content is only ever accepted or rejected (${format})`, async () => {
    for (const odd of ['x'.repeat(5000), '%00', '%ff', "'; drop table api_keys; --", '%F0%9F%94%91'])
      assert.equal((await ask(`${api.url}/videos?api_key=${odd}`, format)).status, 401)
    assert.equal((await ask(`${api.url}/videos?api_key[a]=${api.channel.keys.admin}`, format)).status, 401)
  })
}

const bodies = [
  ['a form', 'application/x-www-form-urlencoded', (key: string) => `api_key=${key}&video[title]=Mine`],
  ['JSON', 'application/json', (key: string) => `{"api_key":"${key}","video":{"title":"Mine"}}`],
  [
    'XML',
    'text/xml',
    (key: string) => `<request><api_key>${key}</api_key><video><title>Mine</title></video></request>`,
  ],
] as const
for (const [about, type, write] of bodies) {
  test(`a credential is taken from beside the fields in ${about}`, async () => {
    const init = { method: 'POST', headers: { 'content-type': type } }
    const { admin } = api.channel.keys
    assert.equal((await ask(`${api.url}/videos`, 'json', { ...init, body: write(admin) })).status, 201)
    assert.equal((await ask(`${api.url}/videos`, 'json', { ...init, body: write('wrong') })).status, 401)
  })

  test(`a credential in the query and another in ${about} are refused`, async () => {
    const { admin } = api.channel.keys
    const init = { method: 'POST', headers: { 'content-type': type }, body: write(admin) }
    assert.equal((await ask(`${api.url}/videos?api_key=${admin}`, 'json', init)).status, 422)
  })
}

test('a header that comes twice is a credential given twice', async () => {
  const { admin } = api.channel.keys
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${api.url}/videos`, {
      headers: [
        ['X-Api-Key', admin],
        ['X-Api-Key', admin],
      ].flat() as never,
    })
    sent.on('response', (reply) => resolve(reply.resume().statusCode)).on('error', reject)
    sent.end()
  })
  assert.equal(status, 422)
})

test('a 403 says what the credential may do', async () => {
  const { status, body } = await ask(`${api.url}/apps?api_key=${api.channel.keys.read_only}`)
  assert.deepEqual([status, body.code], [403, 'forbidden'])
  assert.match(body.message, /may not list apps\. Read-only key: reads the published catalogue/)
})
