import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { takeAttempt } from '../../packages/server/src/auth/attempts.js'
import { bucketOf } from '../../packages/server/src/auth/limits.js'
import { hashPassword } from '../../packages/server/src/auth/passwords.js'
import { accountBucket } from '../../packages/server/src/auth/sign-in.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import {
  attack,
  type Campaign,
  compare,
  home,
  overlap,
  sendFrom,
  signInFrom,
  type Target,
  ways,
} from '../support/guessing.js'

let api: TestApi
let target: Target
before(async () => {
  api = await startOwnApi()
  const [viewer, attacker] = [await api.channel.consumer(), await api.channel.consumer()]
  target = { url: api.url, ...api.channel.app, ...viewer, attacker_id: attacker._id }
  await signInFrom(home, target, target.email, target.password)
})
after(() => api.stop())

test('hundreds of guesses from one address and from many find nothing, and never shut the viewer out', async () => {
  const campaigns: Campaign[] = []
  for (const way of ways) campaigns.push(await attack(target, 150, way))

  assert.equal(campaigns.length, 8)
  for (const campaign of campaigns) {
    assert.equal(campaign.succeeded, 0, campaign.what)
    assert.equal(campaign.viewerStillIn, true, `${campaign.what}, from ${campaign.from}`)
  }
  const single = campaigns.filter(({ from }) => from === 'one address')
  assert.ok(
    single.every(({ byStatus }) => (byStatus[429] ?? 0) > 0),
    'guesses from one address are limited',
  )
})

test('a wrong password and an unknown viewer get the same answer in the same time', async () => {
  const viewers = await Promise.all(Array.from({ length: 5 }, () => api.channel.consumer()))
  const emails = viewers.map(({ email }) => email)
  // The other tests hash cheaply; the time of an unknown viewer is that of a real hash.
  await api.database.db`
    update consumers set password_hash = ${await hashPassword('at the real cost')} where email = any(${emails})
  `

  const { wrong, unknown, bodies } = await compare(target, emails, 40)

  assert.equal(bodies.size, 1)
  assert.match([...bodies][0] ?? '', /^401 .*invalid_grant/)
  assert.ok(overlap(wrong, unknown) > 0.5, `overlap ${overlap(wrong, unknown)}`)
})

test('while an app is under attack from many addresses, a viewer who is new somewhere still gets in', async () => {
  const newcomer = await api.channel.consumer()
  await api.database.db`truncate attempts`
  const full = bucketOf('app', api.channel.app._id)
  while ((await takeAttempt(api.database.db, api.parts.sealer, [full])) === 0);

  const { status } = await signInFrom('127.77.0.1', target, newcomer.email, newcomer.password)

  assert.equal(status, 200)
})

test('a viewer whose account is under attack can sign in anywhere after setting a new password', async () => {
  const victim = await api.channel.consumer()
  const full = accountBucket(api.channel.channel._id, victim.email)
  while ((await takeAttempt(api.database.db, api.parts.sealer, [full])) === 0);
  const away = '127.78.0.1'
  assert.equal((await signInFrom(away, target, victim.email, victim.password)).status, 429)

  const password = 'a new one from a hotel'
  const token = 'a token as a mail would have brought it'
  await api.database.db`
    insert into mail_tokens (digest, site_id, consumer_id, purpose, email, expires_at)
    values (${api.parts.sealer.digest(token)}, ${api.channel.channel._id}, ${victim._id}, 'reset_password',
      ${victim.email}, now() + interval '1 hour')
  `
  const form = { app_key: target.app_key, password, password_token: token }
  assert.equal((await sendFrom(away, `${api.url}/consumers/reset_password`, form, 'PUT')).status, 200)
  while ((await takeAttempt(api.database.db, api.parts.sealer, [full])) === 0);

  assert.equal((await signInFrom(away, target, victim.email, password)).status, 200)
})
