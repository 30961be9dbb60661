import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../support/api.js'
import { addPublisher, type Browser, password, signInAs } from '../support/publishers.js'

let api: TestApi
let owner: Browser
before(async () => {
  api = await startApi()
  owner = await signInAs(api, await addPublisher(api, [api.channel, 'owner']))
})
after(() => api.stop())

const embed = async (id: string, query = '') => {
  const reply = await fetch(`${api.url}/embed/${id}.html?api_key=${api.channel.keys.player}${query}`)
  return /<zoetrope-player [^>]*>/.exec(await reply.text())?.[0] ?? ''
}

test("the player uses the channel's settings unless its URL overrides them", async () => {
  const { _id } = await api.as('admin').videos.create({ title: 'Looks' })
  assert.doesNotMatch(await embed(_id), /accent|logo|autoplay|muted|loop|no-controls/)
  await api.as('admin').account.update({
    player_color: '#aa3300',
    player_logo_url: 'https://example.com/logo.png',
    player_autoplay: true,
    player_muted: true,
    player_loop: true,
    player_controls: false,
  })
  const told = await embed(_id)
  assert.match(told, / accent="#aa3300"/)
  assert.match(told, / logo="https:\/\/example.com\/logo.png"/)
  assert.match(told, / autoplay muted loop page-keys no-controls/)
  const asked = await embed(_id, '&autoplay=false&muted=0&loop=false&controls=true&color=00ff00')
  assert.match(asked, / accent="#00ff00"/)
  assert.doesNotMatch(asked, /autoplay|muted|loop|no-controls/)
  assert.match(await embed(_id, '&color=red;x'), / accent="#aa3300"/)
  await assert.rejects(api.as('admin').account.update({ player_color: 'red' }), { status: 422 })
})

test('the status shows mail, storage and encoders; a test mail goes to its sender, with a limit', async () => {
  const editor = await signInAs(api, await addPublisher(api, [api.channel, 'editor']))
  const { status, body } = await editor.call('GET', 'status', undefined, api.channel)
  assert.equal(status, 200)
  assert.deepEqual(body.mail, { configured: false, from: 'no-reply@example.org' })
  assert.ok(body.storage.free_bytes > 0)
  assert.deepEqual(body.encoding.workers, { alive: 0, encoding: 0 })
  assert.deepEqual(Object.keys(body.encoding.ffmpeg), ['version', 'origin'])
  assert.equal(body.encoding.problem, null)
  assert.deepEqual(Object.keys(body.encoding.videos).sort(), ['encoding', 'failed', 'waiting'])

  assert.match(body.countries.problem, /COUNTRY_FILE or COUNTRY_HEADER/)
  assert.equal((await editor.call('POST', 'status/mail', {}, api.channel)).status, 403)
  const sent = await owner.call('POST', 'status/mail', {}, api.channel)
  assert.deepEqual([sent.status, sent.body.delivered], [200, false])
  assert.equal((await owner.call('POST', 'status/mail', {}, api.channel)).status, 429)
})

test('the status counts the jobs of its own channel only', async () => {
  const jobsOf = async () => (await owner.call('GET', 'status', undefined, api.channel)).body.encoding.jobs
  await api.other
    .as('admin')
    .consumers.create({ email: 'theirs@example.com', password: 'some long password' })
  await api.other.as('admin').consumers.forgotPassword({ email: 'theirs@example.com' })
  assert.deepEqual(await jobsOf(), { waiting: 0, running: 0, failed: 0 })

  await api.as('admin').consumers.create({ email: 'ours@example.com', password: 'some long password' })
  await api.as('admin').consumers.forgotPassword({ email: 'ours@example.com' })

  assert.deepEqual(await jobsOf(), { waiting: 1, running: 0, failed: 0 })
})

test('a channel can be deleted only by an owner of another one, with its name and the password', async () => {
  const made = await owner.call('POST', 'channels', { name: 'Short-lived' })
  const there = { ...api.channel, channel: { _id: made.body._id, title: 'Short-lived' } }
  const guest = await addPublisher(api, [there, 'editor'])
  const asGuest = await signInAs(api, guest)
  assert.equal((await asGuest.call('DELETE', 'channel', { name: 'Short-lived' }, there)).status, 403)
  assert.equal((await owner.call('DELETE', 'channel', { name: 'Something else' }, there)).status, 422)
  await api.database.db`update publisher_sessions set confirmed_at = now() - interval '1 hour'`
  const unproven = await owner.call('DELETE', 'channel', { name: 'Short-lived' }, there)
  assert.deepEqual([unproven.status, unproven.body.code], [403, 'confirm_required'])
  assert.equal((await owner.call('POST', 'confirm', { password })).status, 204)

  assert.equal((await owner.call('DELETE', 'channel', { name: 'Short-lived' }, there)).status, 204)
  assert.equal((await owner.call('GET', 'overview', undefined, there)).status, 404)
  assert.equal((await owner.call('GET', 'session')).body.channels.length, 1)
  await assert.rejects(signInAs(api, guest), /401/, 'who was of no other channel has no account')
  const name = api.channel.channel.title
  const last = await owner.call('DELETE', 'channel', { name }, api.channel)
  assert.equal(last.status, 422, 'the only channel of an owner stays')
})
