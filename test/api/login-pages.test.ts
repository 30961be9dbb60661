import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sealField } from '../../packages/server/src/login/sealed-field.js'
import { startApi, type TestApi } from '../support/api.js'
import { note } from '../support/secrets.js'
import {
  alertIn,
  authorizeUrl,
  type FormFields,
  headingIn,
  hiddenIn,
  newChallenge,
  open,
  type Seen,
  submit,
} from './login-forms.js'

const home = 'https://app.example.com/signed-in?from=zoetrope'
let api: TestApi
let client_id: string

before(async () => {
  api = await startApi()
  const admin = api.as('admin')
  client_id = api.channel.app.client_id
  await admin.apps.update(api.channel.app._id, {
    redirect_uris: [home, 'http://127.0.0.1/back', 'http://[::1]:8080/back', 'myapp:/back'],
  })
  // The API rejects this URI. Even if it is in the database, the page must not redirect to it.
  await api.database.db`update apps set redirect_uris = redirect_uris || array['javascript:alert(1)']`
})
after(() => api.stop())

const ask = (parameters: Readonly<Record<string, string | undefined>> = {}) =>
  open(authorizeUrl(api.url, { client_id, redirect_uri: home, ...parameters }))

const signIn = (page: Seen, fields: FormFields, headers = {}) =>
  submit(`${api.url}/oauth/authorize`, { ...hiddenIn(page), ...fields }, headers)

/** Returns the parameters of the URL to which the viewer is redirected. */
const answerIn = ({ location }: Seen) => Object.fromEntries(new URL(location).searchParams)

const exchange = (fields: FormFields) =>
  fetch(`${api.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id,
      client_secret: String(api.channel.app.client_secret),
      ...fields,
    }),
  })

test('a viewer signs in and returns to the app with a code that gives tokens once', async () => {
  const { email, password, _id } = await api.channel.consumer()
  const { verifier, challenge } = newChallenge()
  const page = await ask({ code_challenge: challenge, login_hint: email, scope: 'public' })
  assert.equal(page.status, 200)
  assert.equal(headingIn(page), 'Sign in to One')
  assert.ok(page.text.includes(`value="${email}"`), 'the hint is in the form')

  const back = await signIn(page, { email: ` ${email.toUpperCase()} `, password })
  assert.equal(back.status, 303)
  assert.ok(back.location.startsWith(`${home}&code=`), back.location)
  const { code = '', state, iss } = answerIn(back)
  note(code)
  assert.match(code, /^[0-9a-f]{64}$/)
  assert.deepEqual({ state, iss }, { state: 'the state of things', iss: api.url })

  const [stored] = await api.database.db`
    select extract(epoch from expires_at - now())::int as seconds from authorization_codes where consumer_id = ${_id}
  `
  assert.ok(stored?.seconds > 100 && stored?.seconds <= 120)
  const given = { code, redirect_uri: home, code_verifier: verifier }
  const tokens = await exchange(given)
  assert.equal(tokens.status, 200)
  assert.equal(((await tokens.json()) as { scope: string }).scope, 'public')
  assert.equal((await exchange(given)).status, 401)
})

test('the only address of an app may be left out, and the state may be absent', async () => {
  const admin = api.as('admin')
  const app = await admin.apps.create({ title: 'Single', redirect_uris: ['single:/back'] })
  const { email, password } = await api.channel.consumer()
  const page = await ask({ client_id: app.client_id, redirect_uri: undefined, state: undefined })
  const back = await signIn(page, { email, password })
  assert.match(back.location, /^single:\/back\?code=[0-9a-f]{64}&iss=/)
  note(String(answerIn(back).code))
  assert.match(String(page.headers.get('content-security-policy')), /form-action 'self' single:/)

  assert.equal((await ask({ redirect_uri: undefined })).status, 422)
})

test('the page redirects only to exact redirect URIs of the app', async () => {
  const tries = [
    'https://evil.example.com/',
    'https://app.example.com/signed-in',
    `${home}&more=1`,
    `${home}#fragment`,
    home.toUpperCase(),
    'https://app.example.com@evil.example.com/signed-in?from=zoetrope',
    'https://app.example.com.evil.example.com/signed-in?from=zoetrope',
    'https://app.example.com/signed-in/../?from=zoetrope',
    'https://app.example.com:443/signed-in?from=zoetrope',
    '//evil.example.com',
    'javascript:alert(1)',
    'myapp:/back/',
    'http://127.0.0.1:80@evil.example.com/back',
    'http://127.0.0.1:99999/back',
    'http://127.0.0.1:1234/other',
    'http://127.0.0.1.evil.example.com/back',
    'http://127.0.0.1\\@evil.example.com/back',
    'http://localhost:1234/back',
    'http://[::2]:8080/back',
    'https://127.0.0.1:1234/back',
  ]
  for (const redirect_uri of tries) {
    const page = await ask({ redirect_uri })
    assert.equal(page.status, 422, redirect_uri)
    assert.equal(page.location, '', redirect_uri)
    assert.equal(headingIn(page), 'This link does not work')
  }
  for (const redirect_uri of [
    'http://127.0.0.1:49152/back',
    'http://[::1]/back',
    'http://[::1]:5/back',
    'myapp:/back',
  ])
    assert.equal((await ask({ redirect_uri })).status, 200, redirect_uri)
})

test('an app that is unknown, switched off or named twice gets an error page and no redirect', async () => {
  const admin = api.as('admin')
  const off = await admin.apps.create({ title: 'Off', active: false, redirect_uris: [home] })
  for (const id of [undefined, '', 'nobody', off.client_id, "' or 1=1 --"]) {
    const page = await ask({ client_id: id })
    assert.deepEqual([page.status, page.location], [422, ''])
  }
  for (const twice of [
    `client_id=${client_id}`,
    `redirect_uri=${encodeURIComponent(home)}`,
    'client_id[a]=b',
  ]) {
    const page = await open(`${authorizeUrl(api.url, { client_id, redirect_uri: home })}&${twice}`)
    assert.deepEqual([page.status, page.location], [422, ''], twice)
  }
})

test('every other error is sent to the app, with state and iss', async () => {
  const cases: [Readonly<Record<string, string | undefined>>, string][] = [
    [{ response_type: undefined }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge: 'a'.repeat(42) }, 'invalid_request'],
    [{ code_challenge: `${'a'.repeat(42)}+` }, 'invalid_request'],
    [{ code_challenge: 'a'.repeat(129) }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ scope: 'admin' }, 'invalid_scope'],
    [{ prompt: 'none' }, 'login_required'],
  ]
  for (const [parameters, error] of cases) {
    const back = await ask({ ...parameters, state: 'a b&c=d/é' })
    const name = JSON.stringify(parameters)
    assert.equal(back.status, 303, name)
    assert.ok(back.location.startsWith(`${home}&error=${error}&error_description=`), name)
    const { state, iss, error_description = '' } = answerIn(back)
    assert.deepEqual({ state, iss }, { state: 'a b&c=d/é', iss: api.url }, name)
    assert.match(error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+\.$/)
    assert.equal(back.headers.get('cache-control'), 'no-store')
  }
  const twice = await open(
    `${authorizeUrl(api.url, { client_id, redirect_uri: home })}&scope=public&scope=public`,
  )
  assert.equal(answerIn(twice).error, 'invalid_request')
  const states = await open(`${authorizeUrl(api.url, { client_id, redirect_uri: home })}&state=b`)
  assert.deepEqual([answerIn(states).error, answerIn(states).state], ['invalid_request', undefined])
})

test('a wrong password and an unknown address show the same page again', async () => {
  const { email, password } = await api.channel.consumer()
  const page = await ask()
  const known = await signIn(page, { email, password: `${password} not` })
  const unknown = await signIn(page, { email: 'nobody@example.com', password: `${password} not` })
  for (const again of [known, unknown]) {
    assert.equal(again.status, 401)
    assert.equal(alertIn(again), 'The e-mail address or the password is wrong.')
    assert.equal(again.headers.get('location'), null)
  }
  const plain = ({ text }: Seen) => text.replace(/value="[^"]*"/g, '')
  assert.equal(plain(known), plain(unknown))
  const incomplete: FormFields[] = [{}, { email }, { password }, { email: '', password: '' }]
  for (const fields of incomplete) assert.equal((await signIn(page, fields)).status, 422)
  assert.match((await signIn(known, { email, password })).location, /[?&]code=/)
})

test('too many wrong passwords are limited, and the page says for how long', async () => {
  const { email, _id } = await api.channel.consumer()
  await api.database.db`delete from known_addresses where consumer_id = ${_id}`
  const page = await ask()
  const tries = []
  for (let count = 0; count < 11; count += 1)
    tries.push(await signIn(page, { email, password: 'a guess in the dark' }))
  const last = tries.at(-1)
  assert.deepEqual(
    tries.map(({ status }) => status),
    [...Array(10).fill(401), 429],
  )
  assert.ok(Number(last?.headers.get('retry-after')) > 0)
  assert.match(alertIn(last ?? page), /^Too many attempts\. Try again in \d+ \w+\.$/)
})

test('without a mail server the forgotten-password page promises no mail, and says whom to contact', async () => {
  const page = await open(`${api.url}/forgot-password?client_id=${api.channel.app.client_id}`)
  assert.equal(headingIn(page), 'We cannot send you a link')
  assert.match(page.text, /Contact One for a new password\./)
  assert.doesNotMatch(page.text, /<form/)
})

test('text of a viewer or an app never becomes markup', async () => {
  const attack = '"><script>alert(1)</script>'
  const admin = api.as('admin')
  const app = await admin.apps.create({ title: attack, redirect_uris: [home] })
  const page = await ask({ client_id: app.client_id, login_hint: attack, state: attack })
  const pages = [
    page,
    await signIn(page, { email: attack, password: 'a wrong one' }),
    await open(`${api.url}/link?pin=${encodeURIComponent(attack)}`),
    await submit(`${api.url}/link`, { pin: attack }),
    await open(`${api.url}/reset-password?token=${encodeURIComponent(attack)}`),
    await ask({ client_id: attack }),
  ]
  for (const { text } of pages) assert.doesNotMatch(text, /<script/i)
  assert.ok(page.text.includes('&quot;&gt;&lt;script&gt;'))
})

test('every page and every error has the same strict headers', async () => {
  const { email, password } = await api.channel.consumer()
  const page = await ask()
  const sent = await signIn(page, { email, password })
  note(String(answerIn(sent).code))
  const all = [
    page,
    sent,
    await ask({ client_id: 'nobody' }),
    await ask({ scope: 'admin' }),
    await signIn(page, { email, password: 'not this one' }),
    await open(`${api.url}/link`),
    await open(`${api.url}/link/approve`),
    await open(`${api.url}/oauth/authorize`, { method: 'DELETE' }),
    await open(`${api.url}/forgot-password`),
    await open(`${api.url}/verify-email?token=none`, { headers: { origin: 'https://evil.example.com' } }),
  ]
  for (const { headers, status, text } of all) {
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.match(
      String(headers.get('content-security-policy')),
      /^default-src 'none'; .*frame-ancestors 'none'$/,
    )
    assert.equal(headers.get('access-control-allow-origin'), null)
    assert.equal(headers.get('set-cookie'), null)
    if (status !== 303) assert.match(text, /^<!doctype html>/)
    assert.doesNotMatch(text, /\bat .*\.(ts|js):\d+/)
  }
})

test('an altered, expired or misused hidden field is rejected', async () => {
  const { email, password } = await api.channel.consumer()
  const page = await ask()
  const { sealed = '' } = hiddenIn(page)
  const middle = sealed.charAt(60) === 'A' ? 'B' : 'A'
  const values = {
    client_id,
    redirect_uri: home,
    code_challenge: newChallenge().challenge,
    scope: 'consumer',
  }
  const { sealer } = api.parts
  const bad = {
    changed: sealed.slice(0, 60) + middle + sealed.slice(61),
    cut: sealed.slice(0, -4),
    empty: '',
    short: 'AAAA',
    'of 20 bytes': Buffer.alloc(20).toString('base64url'),
    'for something else': sealField(sealer, 'link sign-in', values),
    'not a field': sealer.seal('plain text').toString('base64url'),
    old: sealField(sealer, 'authorize', values, Date.now() - 601_000),
    huge: 'A'.repeat(40_000),
  }
  for (const [name, text] of Object.entries(bad)) {
    const refused = await signIn(page, { email, password, sealed: text })
    assert.equal(refused.status, 422, name)
    assert.equal(refused.location, '', name)
    if (name === 'old') assert.equal(headingIn(refused), 'This page was open for too long')
  }
  const moved = sealField(sealer, 'authorize', { ...values, redirect_uri: 'https://evil.example.com/' })
  assert.equal((await signIn(page, { email, password, sealed: moved })).status, 422)
})
