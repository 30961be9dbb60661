import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../support/api.js'
import { attack, compare, home, overlap, signInFrom, type Target } from '../support/guessing.js'

let api: TestApi
let target: Target
before(async () => {
  api = await startApi()
  const [viewer, attacker] = [await api.channel.consumer(), await api.channel.consumer()]
  target = { url: api.url, ...api.channel.app, ...viewer, attacker_id: attacker._id }
  await signInFrom(home, target, target.email, target.password)
})
after(() => api.stop())

test('hundreds of guesses from one address and from many find nothing, and never shut the viewer out', async () => {
  const campaigns = await attack(target, 150, () => {})

  assert.equal(campaigns.length, 8)
  for (const campaign of campaigns) {
    assert.equal(campaign.succeeded, 0, campaign.what)
    assert.equal(campaign.viewerStillIn, true, `${campaign.what}, from ${campaign.from}`)
  }
  const single = campaigns.filter(({ from }) => from === 'one address')
  assert.ok(
    single.every(({ byStatus }) => (byStatus[429] ?? 0) > 0),
    'whoever guesses from one address is told to wait',
  )
})

test('a wrong password and an unknown viewer get the same answer in the same time', async () => {
  const emails = await Promise.all(
    Array.from({ length: 5 }, async () => (await api.channel.consumer()).email),
  )

  const { wrong, unknown, bodies } = await compare(target, emails, 40)

  assert.equal(bodies.size, 1)
  assert.match([...bodies][0] ?? '', /^401 .*invalid_grant/)
  assert.ok(overlap(wrong, unknown) > 0.5, `overlap ${overlap(wrong, unknown)}`)
})
