import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codeAt, stepAt } from '../../packages/server/src/lib/totp.js'
import { startApi, type TestApi } from '../support/api.js'
import {
  addPublisher,
  type Browser,
  call,
  password,
  signInAs,
  type TestPublisher,
} from '../support/publishers.js'
import { note } from '../support/secrets.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

interface Guarded {
  readonly person: TestPublisher
  readonly browser: Browser
  readonly secret: string
  readonly recovery: readonly string[]
}

/** Creates a publisher with an authenticator. The current code is used up, so the next one is valid. */
async function guarded(): Promise<Guarded> {
  const person = await addPublisher(api, [api.channel, 'owner'])
  const browser = await signInAs(api, person)
  const { body } = await browser.call('POST', 'totp', { password })
  note(body.secret)
  const { status, body: on } = await browser.call('PUT', 'totp', { code: codeNow(body.secret) })
  assert.equal(status, 200, on.message)
  for (const code of on.recovery_codes) note(code)
  return { person, browser, secret: body.secret, recovery: on.recovery_codes }
}

const codeNow = (secret: string, off = 0) => codeAt(secret, stepAt(Date.now()) + off)
const signIn = ({ email }: TestPublisher, totp?: string) =>
  call(api.url, 'POST', 'session', { body: { email, password, ...(totp === undefined ? {} : { totp }) } })

test('with an authenticator a sign-in needs its code, and no code is accepted twice', async () => {
  const { person, secret } = await guarded()
  const without = await signIn(person)
  const code = codeNow(secret, 1)

  assert.deepEqual([without.status, without.body.totp_required], [401, true])
  assert.equal(without.headers.get('set-cookie'), null)
  const first = await signIn(person, ` ${code.slice(0, 3)} ${code.slice(3)}`)
  assert.deepEqual([first.status, first.body.user.totp_enabled], [200, true])
  assert.equal((await signIn(person, code)).status, 401, 'the same code')
  assert.equal((await signIn(person, codeNow(secret))).status, 401, 'an older code')
  assert.equal((await signIn(person, '')).status, 401)
})

test('of concurrent sign-ins with the same code one succeeds', async () => {
  const { person, secret } = await guarded()
  const code = codeNow(secret, 1)
  const replies = await Promise.all(Array.from({ length: 6 }, () => signIn(person, code)))
  assert.equal(replies.filter(({ status }) => status === 200).length, 1)
})

test('a wrong password reveals nothing about codes, and guessing codes is limited', async () => {
  const { person, secret } = await guarded()
  const wrong = await call(api.url, 'POST', 'session', {
    body: { email: person.email, password: 'a wrong one', totp: codeNow(secret, 1) },
  })
  assert.deepEqual([wrong.status, wrong.body.totp_required], [401, undefined])

  for (let attempt = 0; attempt < 10; attempt += 1) await signIn(person, '000000')
  assert.equal((await signIn(person, codeNow(secret, 1))).status, 429)
})

test('a recovery code allows one sign-in without the device', async () => {
  const { person, recovery } = await guarded()
  const [code = ''] = recovery

  assert.equal(new Set(recovery).size, 10)
  assert.equal((await signIn(person, code.toUpperCase())).status, 200)
  assert.equal((await signIn(person, code)).status, 401)
})

test('codes are required only after one was confirmed, and not after it is turned off', async () => {
  const person = await addPublisher(api, [api.channel, 'owner'])
  const browser = await signInAs(api, person)
  assert.equal((await browser.call('POST', 'totp', { password: 'a wrong one' })).status, 422)
  assert.equal((await browser.call('PUT', 'totp', { code: '123456' })).status, 422)
  const { body } = await browser.call('POST', 'totp', { password })
  note(body.secret)

  assert.match(body.uri, /^otpauth:\/\/totp\/Zoetrope:.+secret=[A-Z2-7]{32}/)
  assert.equal((await signIn(person)).status, 200)
  assert.equal((await browser.call('PUT', 'totp', { code: '12345' })).status, 422)
  assert.equal((await browser.call('PUT', 'totp', { code: codeNow(body.secret) })).status, 200)
  assert.equal((await browser.call('POST', 'totp', { password })).status, 422)
  assert.equal((await browser.call('PUT', 'totp', { code: codeNow(body.secret, 1) })).status, 422)
  assert.equal((await browser.call('DELETE', 'totp', { password: 'a wrong one' })).status, 422)
  assert.equal((await signIn(person)).status, 401)
  assert.equal((await browser.call('DELETE', 'totp', { password })).status, 204)
  assert.equal((await signIn(person)).status, 200)
})

test('the secret is encrypted in the database', async () => {
  const { person, secret } = await guarded()
  const [row] = await api.database.db<{ totp_secret: Buffer }[]>`
    select totp_secret from publishers where _id = ${person._id}
  `
  assert.ok(!row?.totp_secret.toString('latin1').includes(secret))
  assert.equal(api.parts.sealer.unseal(row?.totp_secret ?? Buffer.alloc(0)), secret)
})
