import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Client, createClient, signIn } from '@zoetrope/sdk'
import { formats, logged, startApi, type TestApi, type TestConsumer } from '../support/api.js'
import { note } from '../support/secrets.js'
import { ask, lenient } from './ask.js'
import { asViewer, clientOf } from './viewers.js'

type Query = Parameters<Client['consumers']['list']>[0]

const password = 'ninety nine balloons'
note(password)
let api: TestApi
let viewer: TestConsumer
before(async () => {
  api = await startApi()
  const { consumers } = api.as('admin')
  await consumers.create({
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    terms: true,
    stripe_id: 'cus_1',
    custom: { plan: 'gold', seats: 3, beta: true, zip: '0042' },
  })
  await consumers.create({
    email: 'bob.smith@example.org',
    name: 'Bob',
    updates: true,
    braintree_id: 'bt_1',
    custom: { plan: 'silver', seats: '3', beta: false },
  })
  await consumers.create({ email: 'cleo@example.org', name: 'Cléo', recurly_code: 'rec_1', password })
  viewer = await api.channel.consumer('dora@example.com')
  await api.other.as('admin').consumers.create({ email: 'elsewhere@example.com', name: 'Ada' })
  await api.database.db`
    update consumers set created_at = now() - interval '1 day', email_verified_at = '2026-03-01T12:00:00Z',
      last_sign_in_at = '2026-02-01T08:30:00Z', last_sign_in_ip = '192.0.2.7'
    where email = 'ada@example.com'
  `
})
after(() => api.stop())

test('a name with letters beyond ASCII is found by its words', async () => {
  for (const q of ['cléo', 'CLÉO', 'clé']) assert.deepEqual(await found({ q }), ['cleo'], q)
})

test('a consumer has random tokens that only the admin key sees, and is found by them', async () => {
  const { consumers } = api.as('admin')
  const [ada, bob] = (await consumers.list({ sort: 'email', order: 'asc' })).response
  if (!ada || !bob) throw new Error('They are there')
  const tokens = [ada.rss_token, ada.remember_token, bob.rss_token, bob.remember_token].map(String)
  tokens.map(note)
  assert.equal(new Set(tokens).size, 4)
  for (const token of tokens) assert.match(token, /^zt_(rss|remember)_[0-9a-f]{40}$/)
  assert.deepEqual(await consumers.get(ada._id), ada)

  assert.deepEqual(await found({ rss_token: String(ada.rss_token) }), ['ada'])
  assert.deepEqual(await found({ remember_token: String(bob.remember_token) }), ['bob'])
  assert.deepEqual(await found({ rss_token: [String(ada.rss_token), String(bob.rss_token)] }), ['ada', 'bob'])
  for (const query of [
    { rss_token: 'x' },
    { rss_token: String(ada.remember_token) },
    { rss_token: String(ada.rss_token), remember_token: String(bob.remember_token) },
    { rss_token: String(ada.rss_token), q: 'bob' },
  ])
    assert.deepEqual(await found(query), [], JSON.stringify(query))
  assert.deepEqual(await found({ rss_token: String(ada.rss_token) }, api.other.as('admin')), [])
  assert.deepEqual(await found({ rss_token: '' }), everyone)

  const own = await asViewer(api.url, viewer).consumers.get(viewer._id)
  const byApp = await api.as('app').consumers.get(ada._id)
  assert.deepEqual([own.rss_token, own.remember_token], [null, null])
  assert.deepEqual([byApp.rss_token, byApp.remember_token], [null, null])
  const kept = await api.database.db`select t::text as row from consumer_tokens as t`
  assert.ok(!kept.some(({ row }) => tokens.some((token) => row.includes(token))), 'none is stored as it is')
})

test('the publisher may set a token, which is unique, or have a new one generated', async () => {
  const { consumers } = api.other.as('admin')
  const old = 'token-of-the-old-service'
  note(old)
  const made = await consumers.create({ email: 'moved@example.com', rss_token: old })
  assert.equal(made.rss_token, old)
  assert.deepEqual(
    (await consumers.list({ rss_token: old })).response.map(({ _id }) => _id),
    [made._id],
  )
  await assert.rejects(consumers.create({ email: 'second@example.com', rss_token: old }), {
    status: 422,
    message: /has this token already/,
  })
  const again = await consumers.update(made._id, { rss_token: null })
  assert.match(again.rss_token ?? '', /^zt_rss_/)
  assert.equal(again.remember_token, made.remember_token)
  assert.deepEqual((await consumers.list({ rss_token: old })).response, [])
  const person = await api.other.consumer()
  const own = asViewer(api.url, person).consumers
  await own.update(person._id, { name: 'Me', rss_token: 'chosen by myself' } as never)
  assert.notEqual((await consumers.get(person._id)).rss_token, 'chosen by myself')
  await consumers.remove(made._id)
  assert.equal((await api.database.db`select from consumer_tokens where consumer_id = ${made._id}`).length, 0)
})

/** Returns the first word of every e-mail address in the list. */
async function found(query: Query, client = api.as('admin')): Promise<string[]> {
  const { response } = await client.consumers.list({ sort: 'email', order: 'asc', ...query } as Query)
  return response.map(({ email }) => email.split(/[@.]/)[0] ?? '')
}
const everyone = ['ada', 'bob', 'cleo', 'dora']

const filters: readonly (readonly [query: object, names: readonly string[]])[] = [
  [{}, everyone],
  [{ q: 'ada' }, ['ada']],
  [{ q: 'lovelace' }, ['ada']],
  [{ q: 'Smith' }, ['bob']],
  [{ q: 'bob.smith@example.org' }, ['bob']],
  [{ q: 'nobody' }, []],
  [{ email: 'ada@example.com' }, ['ada']],
  [{ email: ' ADA@Example.com' }, ['ada']],
  [{ email: ['ada@example.com', 'Cleo@example.org'] }, ['ada', 'cleo']],
  [{ 'email!': 'Ada@example.com' }, ['bob', 'cleo', 'dora']],
  [{ email: 'elsewhere@example.com' }, []],
  [{ terms: true }, ['ada']],
  [{ terms: false }, ['bob', 'cleo', 'dora']],
  [{ updates: true }, ['bob']],
  [{ stripe_id: 'cus_1' }, ['ada']],
  [{ braintree_id: 'bt_1' }, ['bob']],
  [{ recurly_code: 'rec_1' }, ['cleo']],
  [{ 'email_verified_at.gte': '2026-03-01T12:00:00Z' }, ['ada']],
  [{ 'email_verified_at.gt': '2026-03-01T12:00:00Z' }, []],
  [{ 'email_verified_at.lt': '2026-03-02' }, ['ada']],
  [{ sign_in_count: 1 }, ['dora']],
  [{ 'sign_in_count.gt': 0 }, ['dora']],
  [{ 'sign_in_count.lte': 0 }, ['ada', 'bob', 'cleo']],
  [{ 'current_sign_in_at.gt': '2026-01-01' }, ['dora']],
  [{ current_sign_in_ip: '127.0.0.1' }, ['dora']],
  [{ last_sign_in_at: '2026-02-01' }, ['ada']],
  [{ 'last_sign_in_at.lt': '2026-02-01T08:30:00Z' }, []],
  [{ last_sign_in_ip: '192.0.2.7' }, ['ada']],
  [{ 'created_at.lt': new Date(Date.now() - 3_600_000) }, ['ada']],
  [{ custom: { plan: 'gold' } }, ['ada']],
  [{ custom: { plan: '' } }, everyone],
  [{ custom: { plan: 'gold', seats: '4' } }, []],
  [{ custom: { seats: 3 } }, ['ada', 'bob']],
  [{ custom: { beta: true } }, ['ada']],
  [{ custom: { beta: 'false' } }, ['bob']],
  [{ custom: { zip: '42' } }, []],
]

for (const format of formats)
  test(`consumers are found by name, address, filters and attributes (${format})`, async () => {
    const client = api.as('admin', format)
    for (const [query, names] of filters)
      assert.deepEqual(await found(query, client), names, JSON.stringify(query))
    const { response } = await client.consumers.list({ email: 'ada@example.com' })
    assert.deepEqual(await found({ id: response[0]?._id ?? '' }, client), ['ada'])
    assert.deepEqual(await found({ 'id!': response[0]?._id ?? '' }, client), ['bob', 'cleo', 'dora'])
  })

test('an attribute that begins with a zero is text', async () => {
  assert.deepEqual(await found({ custom: { zip: '0042' } }), ['ada'])
})

test('consumers are listed in order and page by page', async () => {
  const client = api.as('admin')
  assert.deepEqual(await found({ sort: 'email', order: 'desc' }), everyone.toReversed())
  assert.deepEqual((await found({ sort: 'sign_in_count', order: 'desc' }))[0], 'dora')
  assert.deepEqual(await found({ sort: 'created_at', order: 'asc' }), everyone)
  assert.deepEqual(await found({ per_page: 3, page: 1 }), ['dora'])
  const { pagination } = await client.consumers.list({ per_page: 3 })
  assert.deepEqual([pagination.pages, pagination.next, pagination.previous], [2, 1, null])
  const all: string[] = []
  for await (const { email } of client.consumers.all({ per_page: 1, sort: 'email', order: 'asc' }))
    all.push(email)
  assert.equal(all.length, 4)
})

test('invalid filters are rejected or match nothing, never everything', async () => {
  const url = `${api.url}/consumers?api_key=${api.channel.keys.admin}`
  for (const query of ['custom=gold', 'custom[]=gold', 'sign_in_count=many', 'email[a]=b', 'terms=perhaps'])
    assert.equal((await ask(`${url}&${query}`)).status, 422, query)
  for (const query of ['custom[plan][a]=gold', 'custom[plan][]=gold&custom[plan][]=silver'])
    assert.equal((await ask(`${url}&${query}`)).status, 422, query)
  for (const query of ['custom[__proto__]=x', 'custom[constructor]=x', 'email=%25', 'email=_da@example.com'])
    assert.deepEqual((await ask(`${url}&${query}`)).body.response, [], query)
})

test('passwords can be neither read, filtered nor sorted by', async () => {
  const [{ password_hash: hash } = { password_hash: '' }] = await api.database.db<
    { password_hash: string }[]
  >`select password_hash from consumers where email = 'cleo@example.org'`
  assert.match(hash, /^\$argon2id\$/)
  const { admin } = api.channel.keys
  const id = viewer._id
  const names = 'password,password_hash,password_confirmation,search'
  const texts: string[] = []
  for (const format of formats)
    for (const path of [
      `consumers?api_key=${admin}`,
      `consumers?api_key=${admin}&response_fields=${names}`,
      `consumers/${id}?api_key=${admin}&response_fields=${names}`,
      `consumers/${id}?access_token=${viewer.access_token}`,
      `consumers/${id}?app_key=${api.channel.app_key}`,
      `consumers?api_key=${admin}&sort=email&cursor=`,
    ]) {
      const { status, text } = await ask(`${api.url}/${path}`, format, { headers: lenient })
      assert.equal(status, 200, path)
      texts.push(text)
    }
  for (const text of texts) assert.doesNotMatch(text, /password|argon2|balloons/)

  const careless = createClient({ url: api.url, apiKey: admin, strict: false })
  for (const filter of [
    { password },
    { password_hash: hash },
    { 'password_hash.gt': '$argon2id' },
    { 'password_hash[$startsWith]': '$argon2' },
    { password_confirmation: password },
    { search: 'ada' },
    { q: '$argon2id' },
  ])
    assert.deepEqual(
      await found(filter as Query, careless),
      'q' in filter ? [] : everyone,
      JSON.stringify(filter),
    )
  for (const sort of ['password', 'site_id'])
    assert.equal((await ask(`${api.url}/consumers?api_key=${admin}&sort=${sort}`)).status, 422, sort)
  for (const sort of ['password_hash', 'search']) {
    const { status, headers } = await ask(`${api.url}/consumers?api_key=${admin}&sort=${sort}`, 'json', {
      headers: lenient,
    })
    assert.deepEqual([status, headers.get('x-notice')?.includes('was ignored')], [200, true], sort)
  }
  const lines = logged.join('')
  for (const secret of [password, encodeURIComponent(password), password.replaceAll(' ', '+')])
    assert.ok(!lines.includes(secret), 'a password is in the log')
})

test('sign-ins are counted, and the latest two are shown', async () => {
  const { consumers } = asViewer(api.url, viewer)
  const before = await consumers.get(viewer._id)
  assert.deepEqual([before.sign_in_count, before.last_sign_in_at], [1, null])
  await signIn({ ...clientOf(api), username: 'DORA@example.com ', password: viewer.password })
  const after = await consumers.get(viewer._id)
  assert.deepEqual(
    [after.sign_in_count, after.last_sign_in_at, after.last_sign_in_ip, after.current_sign_in_ip],
    [2, before.current_sign_in_at, '127.0.0.1', '127.0.0.1'],
  )
})
