import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { refreshTokens, signIn, signInDevice, tokenInfo } from '@zoetrope/sdk'
import { endExpired } from '../../packages/server/src/jobs/end-expired.job.js'
import { formats, startApi, type TestApi, type TestConsumer } from '../support/api.js'
import { jobContext } from '../support/job-context.js'
import { ask } from './ask.js'
import { asViewer, clientOf } from './viewers.js'

let api: TestApi
let stranger: TestConsumer
before(async () => {
  api = await startApi()
  stranger = await api.channel.consumer()
})
after(() => api.stop())

const again = ({ email, password }: TestConsumer) => signIn({ ...clientOf(api), username: email, password })
const status = async (access_token: string, url = api.url) =>
  (await ask(`${url}/videos?access_token=${access_token}`)).status

for (const format of formats) {
  test(`a consumer's sessions are listed with app, device, place and times (${format})`, async () => {
    const viewer = await api.channel.consumer()
    const linked_device_id = `tv-${viewer._id}`
    const { pin } = api.as('app')
    const acquired = await pin.acquire({ linked_device_id })
    const device = await pin.link({ consumer_id: viewer._id, pin: acquired.pin ?? '' })
    await signInDevice({ ...clientOf(api), linkedDeviceId: linked_device_id, pin: acquired.pin ?? '' })
    const app = api.channel.app
    const reply = await fetch(`${api.url}/oauth/token`, {
      method: 'POST',
      headers: { 'user-agent': `TV & co ${'x'.repeat(300)}` },
      body: new URLSearchParams({
        client_id: app.client_id,
        client_secret: app.client_secret,
        grant_type: 'password',
        username: viewer.email,
        password: viewer.password,
        scope: 'public',
      }),
    })
    assert.equal(reply.status, 200)

    const own = asViewer(api.url, viewer, format).sessions
    const { response, pagination } = await own.list(viewer._id)
    assert.equal(pagination.pages, 1)
    const [limited, onDevice, first] = response
    assert.ok(limited && onDevice && first)
    assert.equal(response.length, 3)
    assert.deepEqual(first, {
      _id: first._id,
      site_id: api.channel.channel._id,
      created_at: first.created_at,
      updated_at: first.updated_at,
      consumer_id: viewer._id,
      app_id: app._id,
      app_title: app.title,
      device_id: null,
      scope: 'consumer',
      ip: '127.0.0.1',
      user_agent: first.user_agent,
      refreshed_at: first.refreshed_at,
      expires_at: first.expires_at,
    })
    const days = (Date.parse(first.expires_at) - Date.parse(first.created_at)) / 86_400_000
    assert.ok(days > 89.9 && days < 90.1, `${days} days`)
    assert.equal(onDevice.device_id, device._id)
    assert.deepEqual([limited.scope, limited.user_agent], ['public', `TV & co ${'x'.repeat(247)}`])
    assert.deepEqual(await own.get(viewer._id, first._id), first)
    const text = JSON.stringify(response)
    for (const token of [viewer.access_token, viewer.refresh_token]) assert.ok(!text.includes(token))
    assert.deepEqual((await api.as('admin', format).sessions.list(viewer._id)).response, response)

    const { access_token } = await refreshTokens({ ...clientOf(api), refreshToken: viewer.refresh_token })
    const renewed = (await asViewer(api.url, { access_token }, format).sessions.list(viewer._id)).response[0]
    assert.equal(renewed?._id, first._id)
    assert.ok((renewed?.refreshed_at ?? '') > first.refreshed_at)
  })

  test(`ending a session ends its tokens at once and no others (${format})`, async () => {
    const viewer = await api.channel.consumer()
    const second = await again(viewer)
    const own = asViewer(api.url, second, format).sessions
    const [kept, ended] = (await own.list(viewer._id)).response
    assert.equal(await status(viewer.access_token), 200)
    await own.remove(viewer._id, ended?._id ?? '')
    assert.deepEqual([await status(viewer.access_token), await status(second.access_token)], [401, 200])
    await assert.rejects(tokenInfo({ url: api.url, accessToken: viewer.access_token }), { status: 401 })
    const refresh = refreshTokens({ ...clientOf(api), refreshToken: viewer.refresh_token })
    await assert.rejects(refresh, { status: 401, code: 'invalid_grant' })
    await assert.rejects(own.remove(viewer._id, ended?._id ?? ''), {
      status: 404,
      message: 'Session not found',
    })
    await own.remove(viewer._id, kept?._id ?? '')
    await assert.rejects(own.list(viewer._id), { status: 401 })
  })

  test(`all sessions end together, by the consumer or the admin key (${format})`, async () => {
    const viewer = await api.channel.consumer()
    for (const client of [asViewer(api.url, viewer, format), api.as('admin', format)]) {
      const one = await again(viewer)
      assert.equal(await status(one.access_token), 200)
      await client.consumers.endSessions(viewer._id)
      assert.deepEqual([await status(viewer.access_token), await status(one.access_token)], [401, 401])
      assert.deepEqual((await api.as('admin', format).sessions.list(viewer._id)).response, [])
    }
    assert.equal(await status(stranger.access_token), 200)
  })

  test(`a consumer can see and end only their own sessions (${format})`, async () => {
    const viewer = await api.channel.consumer()
    const own = asViewer(api.url, viewer, format)
    const [theirs] = (await api.as('admin').sessions.list(stranger._id)).response
    const missing = { status: 404, message: 'Consumer not found' }
    await assert.rejects(own.sessions.list(stranger._id), missing)
    await assert.rejects(own.sessions.remove(stranger._id, theirs?._id ?? ''), missing)
    await assert.rejects(own.sessions.remove(viewer._id, theirs?._id ?? ''), { status: 404 })
    await assert.rejects(own.sessions.get(viewer._id, theirs?._id ?? ''), { status: 404 })
    await assert.rejects(own.consumers.endSessions(stranger._id), missing)
    await assert.rejects(api.other.as('admin', format).sessions.list(viewer._id), missing)
    for (const who of ['app', 'read_only', 'player'] as const) {
      await assert.rejects(api.as(who, format).sessions.list(viewer._id), { status: 403 })
      await assert.rejects(api.as(who, format).consumers.endSessions(viewer._id), { status: 403 })
    }
    assert.equal(await status(stranger.access_token), 200)
  })
}

test('an ended session is over on every server within a second', async () => {
  const node = await api.startNode()
  try {
    const viewer = await api.channel.consumer()
    const second = await again(viewer)
    const { sessions, consumers } = api.as('admin')
    const over = async (token: string, end: () => Promise<void>) => {
      assert.equal(await status(token, node.url), 200)
      await end()
      const begun = Date.now()
      for (let asked = begun; (await status(token, node.url)) !== 401; asked = Date.now()) {
        assert.ok(asked - begun < 1000, 'a request of a second later still works')
        await pause(20)
      }
    }
    const [, first] = (await sessions.list(viewer._id)).response
    await over(viewer.access_token, () => sessions.remove(viewer._id, first?._id ?? ''))
    await over(second.access_token, () => consumers.endSessions(viewer._id))
    const third = await again(viewer)
    await over(third.access_token, () => consumers.remove(viewer._id))
  } finally {
    await node.stop()
  }
})

test('an expired session is over, and is deleted with everything else that expired', async () => {
  const { db } = api.database
  const viewer = await api.channel.consumer()
  const kept = await again(viewer)
  const [, ended] = (await api.as('admin').sessions.list(viewer._id)).response
  await db`update sessions set expires_at = now() where _id = ${ended?._id ?? ''}`
  await pause(1000)
  assert.deepEqual([await status(viewer.access_token), await status(kept.access_token)], [401, 200])
  const refresh = refreshTokens({ ...clientOf(api), refreshToken: viewer.refresh_token })
  await assert.rejects(refresh, { code: 'invalid_grant' })

  const { pin } = api.as('app')
  const devices = ['old', 'young', 'linked'].map((age) => `${age}-${viewer._id}`)
  for (const linked_device_id of devices) {
    const { pin: code } = await pin.acquire({ linked_device_id })
    if (linked_device_id.startsWith('linked')) await pin.link({ consumer_id: viewer._id, pin: code ?? '' })
  }
  await db`
    update linked_devices set pin_expiration = now() - case when linked_device_id like 'young%'
      then interval '23 hours' else interval '25 hours' end
    where linked_device_id = any(${devices}::text[])
  `
  const site_id = api.channel.channel._id
  await db`
    insert into mail_tokens (digest, site_id, consumer_id, purpose, email, expires_at)
    select sha256(seconds::text::bytea), ${site_id}, ${viewer._id}, 'verify_email', ${viewer.email},
      now() + make_interval(secs => seconds)
    from unnest(array[-1, 60]) as seconds
  `
  await endExpired.run({}, jobContext(api))
  const [left] = await db`
    select (select count(*)::int from sessions where consumer_id = ${viewer._id}) as sessions,
      (select count(*)::int from mail_tokens where consumer_id = ${viewer._id}) as mails,
      (select array_agg(split_part(linked_device_id, '-', 1) order by linked_device_id) from linked_devices
        where linked_device_id = any(${devices}::text[])) as devices
  `
  assert.deepEqual({ ...left }, { sessions: 1, mails: 1, devices: ['linked', 'young'] })
  assert.equal(await status(kept.access_token), 200)
})
