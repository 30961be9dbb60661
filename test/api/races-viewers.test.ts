import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@zoetrope/sdk'
import { startApi, type TestApi, type TestConsumer } from '../support/api.js'
import { note } from '../support/secrets.js'
import { appAt, linkDevice, passwordOf, reads, refreshOf, type TokenReply } from './oauth-requests.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const app = () => appAt(api.url, api.channel.app)
const times = <T>(count: number, run: (turn: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, turn) => run(turn)))
const newPassword = () => {
  const password = `changed ${randomBytes(8).toString('hex')}`
  note(password)
  return password
}

test('when two consumers link one PIN at once, one succeeds, twenty times over', async () => {
  const viewers = [await api.channel.consumer(), await api.channel.consumer()]
  const { pin: device } = api.as('admin')
  for (let turn = 0; turn < 20; turn += 1) {
    const linked_device_id = randomUUID()
    const { pin } = await api.channel.as('app').pin.acquire({ linked_device_id })
    const link = ({ _id }: TestConsumer) => device.link({ consumer_id: _id, pin: String(pin) })
    const outcomes = await Promise.allSettled((turn % 2 ? viewers : viewers.toReversed()).map(link))
    const [won, ...others] = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const lost = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    assert.equal(others.length, 0)
    assert.deepEqual(
      lost.map(({ status, message }) => [status, message]),
      [[404, 'Invalid Device Pin.']],
    )
    const { consumer_id } = await device.status({ linked_device_id })
    assert.equal(consumer_id, won?.consumer_id)
  }
})

test('of ten sign-ups with one address at once, one succeeds', async () => {
  const email = 'popular@example.com'
  const outcomes = await times(10, (turn) =>
    api
      .as('app')
      .consumers.create({ email: turn % 2 ? email : email.toUpperCase(), password: 'the same for everyone' })
      .then(
        () => 201,
        ({ status }) => status as number,
      ),
  )
  assert.deepEqual(outcomes.sort(), [201, ...Array.from({ length: 9 }, () => 422)])
})

test('no session of the old password survives its change, even with concurrent sign-ins', async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    const viewer = await api.channel.consumer()
    const password = newPassword()
    const change = () => api.as('admin').consumers.update(viewer._id, { password })
    const [replies] = await Promise.all([times(10, () => app().token(passwordOf(viewer))), change()])
    assert.ok(replies.every(({ status }) => status === 200 || status === 401))
    for (const { body } of replies.filter(({ status }) => status === 200)) {
      assert.equal(await reads(api.url, body.access_token), 401)
      assert.equal((await app().token(refreshOf(body.refresh_token))).body.error, 'invalid_grant')
    }
    assert.equal((await app().token(passwordOf({ ...viewer, password }))).status, 200)
  }
})

const endings: Readonly<Record<string, (viewer: TestConsumer) => Promise<unknown>>> = {
  revoked: ({ access_token }) => app().revoke(access_token),
  'ended with all others': ({ _id }) => api.as('admin').consumers.endSessions(_id),
  'ended by a new password': ({ _id }) => api.as('admin').consumers.update(_id, { password: newPassword() }),
  'gone with its consumer': ({ _id }) => api.as('admin').consumers.remove(_id),
  async removed({ _id }) {
    const { sessions } = api.as('admin')
    const { response } = await sessions.list(_id)
    for (const session of response) await sessions.remove(_id, session._id)
  },
}

const noFault = (replies: readonly TokenReply[]) => {
  for (const { status, body } of replies)
    assert.ok(
      status === 200 || (status === 401 && body.error === 'invalid_grant'),
      `${status} ${body.message}`,
    )
}

for (const [name, end] of Object.entries(endings))
  test(`a session that is ${name} while it is refreshed ends, without a server error`, async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const viewer = await api.channel.consumer()
      const [replies] = await Promise.all([
        times(6, () => app().token(refreshOf(viewer.refresh_token))),
        end(viewer),
      ])
      noFault(replies)
      for (const { body } of replies.filter(({ status }) => status === 200))
        assert.equal(await reads(api.url, body.access_token), 401)
      assert.equal((await app().token(refreshOf(viewer.refresh_token))).body.error, 'invalid_grant')
    }
  })

test('a TV that signs in while its consumer is removed causes no server error, and gets no lasting session', async () => {
  for (let turn = 0; turn < 6; turn += 1) {
    const viewer = await api.channel.consumer()
    const device = await linkDevice(api, viewer._id)
    const [replies] = await Promise.all([
      times(4, () => app().token({ grant_type: 'password', ...device })),
      api.as('admin').consumers.remove(viewer._id),
    ])
    noFault(replies)
    for (const { body } of replies.filter(({ status }) => status === 200))
      assert.equal(await reads(api.url, body.access_token), 401)
  }
})

test('a TV that signs in while it is unlinked causes no server error, and gets no lasting session', async () => {
  const viewer = await api.channel.consumer()
  for (let turn = 0; turn < 6; turn += 1) {
    const device = await linkDevice(api, viewer._id)
    const [replies] = await Promise.all([
      times(4, () => app().token({ grant_type: 'password', ...device })),
      api.as('admin').pin.unlink({ consumer_id: viewer._id, pin: device.pin }),
    ])
    noFault(replies)
    assert.ok(replies.filter(({ status }) => status === 200).length <= 1)
    for (const { body } of replies.filter(({ status }) => status === 200))
      assert.equal(await reads(api.url, body.access_token), 401)
  }
})

test('a consumer who links a TV while being removed causes no server error', async () => {
  for (let turn = 0; turn < 6; turn += 1) {
    const viewer = await api.channel.consumer()
    const { pin: device } = api.as('admin')
    const { pin } = await device.acquire({ linked_device_id: randomUUID() })
    const [linked] = await Promise.allSettled([
      device.link({ consumer_id: viewer._id, pin: String(pin) }),
      api.as('admin').consumers.remove(viewer._id),
    ])
    if (linked.status === 'rejected') assert.equal(linked.reason.status, 404)
  }
})

test('a viewer who signs in while the app is removed causes no server error', async () => {
  const viewer = await api.channel.consumer()
  for (let turn = 0; turn < 10; turn += 1) {
    const { _id, client_id, client_secret } = await api.as('admin').apps.create({ title: 'Short-lived' })
    const [replies] = await Promise.all([
      times(4, () => appAt(api.url, { client_id, client_secret }).token(passwordOf(viewer))),
      api.as('admin').apps.remove(_id),
    ])
    for (const { status } of replies) assert.ok([200, 401, 503].includes(status), String(status))
    for (const { body } of replies.filter(({ status }) => status === 200))
      assert.equal(await reads(api.url, body.access_token), 401)
  }
})

test('a TV that signs in while its app is removed causes no server error, nor does the removal', async () => {
  const viewer = await api.channel.consumer()
  for (let turn = 0; turn < 8; turn += 1) {
    const made = await api.as('admin').apps.create({ title: 'Short-lived' })
    const linked_device_id = randomUUID()
    const { pin: device } = createClient({ url: api.url, appKey: made.app_key })
    const pin = String((await device.acquire({ linked_device_id })).pin)
    await device.link({ consumer_id: viewer._id, pin })
    const [replies] = await Promise.all([
      times(2, () => appAt(api.url, made).token({ grant_type: 'password', linked_device_id, pin })),
      // The removal starts later each turn, so that it meets the sign-in at different steps.
      delay(2 * turn).then(() => api.as('admin').apps.remove(made._id)),
    ])
    for (const { status } of replies) assert.ok(status === 200 || status === 401, String(status))
  }
})

test('a PIN that is used twenty times at once gives one token', async () => {
  const viewer = await api.channel.consumer()
  const device = await linkDevice(api, viewer._id)
  const replies = await times(20, () => app().token({ grant_type: 'password', ...device }))
  noFault(replies)
  assert.equal(replies.filter(({ status }) => status === 200).length, 1)
})

test('a device that requests a PIN twenty times at once gets the same one', async () => {
  const linked_device_id = randomUUID()
  const { pin: device } = api.channel.as('app')
  const pins = await times(20, async () => (await device.acquire({ linked_device_id })).pin)
  assert.equal(new Set(pins).size, 1)
})

test('a favourite created ten times at once is one record', async () => {
  const viewer = await api.channel.consumer()
  const { _id: video_id } = await api.as('admin').videos.create({ title: 'Loved' })
  const { video_favorites } = api.as('admin')
  const made = await times(10, async () => (await video_favorites.create(viewer._id, { video_id }))._id)
  assert.equal(new Set(made).size, 1)
  assert.equal((await video_favorites.list(viewer._id)).response.length, 1)
})
