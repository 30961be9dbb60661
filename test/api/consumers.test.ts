import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi, type TestConsumer } from '../support/api.js'
import { note } from '../support/secrets.js'
import { ask } from './ask.js'
import { canSignIn } from './viewers.js'

let api: TestApi
let viewer: TestConsumer
before(async () => {
  api = await startApi()
  viewer = await api.channel.consumer()
})
after(() => api.stop())

const admin = () => `api_key=${api.channel.keys.admin}`
const secret = (word: string) => {
  note(word)
  return word
}

for (const format of formats) {
  test(`a consumer can be made, read, listed, changed and removed (${format})`, async () => {
    const { consumers } = api.as('admin', format)
    const given = {
      email: `ada-${format}@example.com`,
      name: 'Ada <Lovelace> & daughters',
      birthday: '1815-12-10',
      sex: 'f',
      terms: true,
      updates: true,
      parental_access_code: '0042',
      parental_access_rating: 'PG-13',
      super_watcher: true,
      stripe_id: `cus_${format}`,
      braintree_id: `bt_${format}`,
      recurly_code: `rec_${format}`,
      custom: { plan: 'gold', seats: 3, beta: true, list: ['a', 1], note: null },
    }
    const made = await consumers.create({ ...given, password: secret(`engine & loom ${format}`) })
    assert.match(made._id, /^[0-9a-f]{24}$/)
    assert.deepEqual(made, {
      _id: made._id,
      site_id: api.channel.channel._id,
      created_at: made.created_at,
      updated_at: made.updated_at,
      ...given,
      rss_token: made.rss_token,
      remember_token: made.remember_token,
      email_verified_at: null,
      sign_in_count: 0,
      current_sign_in_at: null,
      current_sign_in_ip: null,
      last_sign_in_at: null,
      last_sign_in_ip: null,
      video_count: 0,
      playlist_count: 0,
      pass_count: 0,
      transaction_count: 0,
      payment_providers: [],
      has_trialed: false,
      days_trialed: 0,
      linked_devices: [],
      subscription_count: 0,
      subscription_ids: [],
      subscription_plans: [],
    })
    assert.deepEqual(await consumers.get(made._id), made)
    assert.deepEqual((await consumers.list({ email: given.email })).response, [made])

    const changed = await consumers.update(made._id, { name: null, custom: { plan: 'silver' } })
    assert.deepEqual(changed, {
      ...made,
      name: null,
      custom: { plan: 'silver' },
      updated_at: changed.updated_at,
    })
    assert.deepEqual(await consumers.get(made._id), changed)
    assert.equal(await canSignIn(api, given.email, `engine & loom ${format}`), true)

    await consumers.remove(made._id)
    const missing = { status: 404, message: 'Consumer not found' }
    await assert.rejects(consumers.get(made._id), missing)
    await assert.rejects(consumers.update(made._id, { name: 'x' }), missing)
    await assert.rejects(consumers.remove(made._id), missing)
    await assert.rejects(consumers.endSessions(made._id), missing)
    assert.equal(await canSignIn(api, given.email, `engine & loom ${format}`), false)
  })

  test(`an e-mail address is stored in lower case and unique in a channel (${format})`, async () => {
    const { consumers } = api.as('admin', format)
    const made = await consumers.create({ email: ` Grace.${format}@Example.COM ` })
    assert.equal(made.email, `grace.${format}@example.com`)
    const taken = {
      status: 422,
      message: 'Could not save consumer: email is taken already.',
      errors: { email: ['is taken already'] },
    }
    await assert.rejects(consumers.create({ email: `GRACE.${format}@example.com` }), taken)
    const second = await consumers.create({ email: `second.${format}@example.com` })
    await assert.rejects(consumers.update(second._id, { email: made.email.toUpperCase() }), taken)
    assert.equal((await consumers.update(made._id, { email: made.email.toUpperCase() })).email, made.email)
    const elsewhere = await api.other.as('admin', format).consumers.create({ email: made.email })
    assert.notEqual(elsewhere._id, made._id)
  })

  test(`all errors of a consumer are reported by field (${format})`, async () => {
    const { consumers } = api.as('admin', format)
    await assert.rejects(consumers.create({} as never), { status: 422, errors: { email: ['is required'] } })
    const wrong = {
      email: 'no address',
      password: secret('short7!'),
      name: 'x'.repeat(10_000),
      terms: 'perhaps',
      parental_access_code: '1'.repeat(21),
    }
    await assert.rejects(consumers.create(wrong as never), {
      status: 422,
      errors: {
        email: ['must be an e-mail address'],
        password: ['must be at least 8 characters long'],
        name: ['must be at most 255 characters long'],
        terms: ['must be true or false'],
        parental_access_code: ['must be at most 20 characters long'],
      },
    })
    await assert.rejects(consumers.update(viewer._id, { email: null } as never), { status: 422 })
    assert.equal((await consumers.get(viewer._id)).email, viewer.email)
  })

  test(`a wrong password confirmation is rejected (${format})`, async () => {
    const { consumers } = api.as('admin', format)
    const email = `confirmed-${format}@example.com`
    const password = secret(`as typed once ${format}`)
    const refused = {
      status: 422,
      errors: { password_confirmation: ['is not the same as the password'] },
    }
    const other = secret(`as typed twice ${format}`)
    await assert.rejects(consumers.create({ email, password, password_confirmation: other }), refused)
    await assert.rejects(consumers.create({ email, password_confirmation: password }), refused)
    await assert.rejects(consumers.create({ email, password, password_confirmation: null }), refused)
    await consumers.create({ email, password, password_confirmation: password })
    assert.equal(await canSignIn(api, email, password), true)
  })
}

test('a new password ends every session, an empty one in a form changes nothing', async () => {
  const { _id, email, password, access_token } = await api.channel.consumer()
  const put = (fields: Record<string, string>) =>
    ask(`${api.url}/consumers/${_id}?access_token=${access_token}`, 'json', {
      method: 'PUT',
      body: new URLSearchParams(fields),
    })
  assert.equal((await put({ password: '', password_confirmation: '', name: 'Kept' })).status, 200)
  assert.equal(await canSignIn(api, email, password), true)
  const fresh = secret('quite another word')
  assert.equal((await put({ password: fresh, password_confirmation: '' })).status, 422)
  assert.equal((await put({ password: fresh, password_confirmation: fresh })).status, 200)
  assert.equal((await put({ name: 'Too late' })).status, 401)
  assert.deepEqual([await canSignIn(api, email, password), await canSignIn(api, email, fresh)], [false, true])
})

test('hostile values are stored unchanged or rejected, without a server error', async () => {
  const { consumers } = api.as('admin')
  const name = 'abc\u202Edef \u{1F469}\u200D\u{1F680} \'"; drop table consumers; --'
  const custom = JSON.parse('{"__proto__": {"super_watcher": true}, "constructor": "x", "toString": 1}')
  const made = await consumers.create({ email: 'hostile@example.com', name, custom })
  assert.deepEqual([made.name, Object.entries(made.custom).sort()], [name, Object.entries(custom).sort()])
  assert.equal((await consumers.get(made._id)).super_watcher, false)
  const inXml = api.as('admin', 'xml').consumers
  const { custom: kept } = await inXml.update(made._id, { custom })
  assert.deepEqual(Object.keys(kept).sort(), Object.keys(custom).sort())
  assert.equal((await consumers.get(made._id)).super_watcher, false)
  assert.equal((await inXml.update(made._id, { name: `${name} again` })).name, `${name} again`)
  const form = await ask(`${api.url}/consumers?${admin()}`, 'json', {
    method: 'POST',
    body: new URLSearchParams({ email: 'proto@example.com', 'custom[__proto__][super_watcher]': 'true' }),
  })
  assert.deepEqual([form.status, form.body.response.super_watcher], [201, false])

  for (const [field, value] of Object.entries({
    name: 'a\u0000b',
    email: 'a\u0000b@example.com',
    birthday: { $gt: '' },
    sex: ['f'],
    password: { length: 20 },
  }))
    await assert.rejects(
      consumers.create({ email: 'refused@example.com', [field]: value } as never),
      (error: { status: number; errors: object }) =>
        error.status === 422 && Object.keys(error.errors).join() === field,
      field,
    )
  const deep = JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`)
  await assert.rejects(consumers.create({ email: 'refused@example.com', custom: { deep } }), {
    status: 422,
    message: /nest at most/,
  })
  const large = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ email: 'large@example.com', custom: { a: 'x'.repeat(1_048_576) } })
  assert.equal((await ask(`${api.url}/consumers?${admin()}`, 'json', { ...large, body })).status, 413)
  const map = JSON.stringify({ email: 'large@example.com', custom: { a: 'x'.repeat(40_000) } })
  assert.equal((await ask(`${api.url}/consumers?${admin()}`, 'json', { ...large, body: map })).status, 422)
  assert.deepEqual(
    (await consumers.list({ email: ['refused@example.com', 'large@example.com'] })).response,
    [],
  )
})
