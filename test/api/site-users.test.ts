import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { addPublisher, call, password, signInAs } from '../support/publishers.js'
import { newEmail } from './access-targets.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
  await addPublisher(api, [api.channel, 'owner'])
})
after(() => api.stop())

for (const format of formats) {
  test(`a user is created, found, changed and removed from the channel (${format})`, async () => {
    const { users } = api.as('admin', format)
    const email = newEmail()
    const made = await users.create({
      email: email.toUpperCase(),
      first_name: 'Ada',
      last_name: 'Lovelace',
      role: 'content_manager',
    })

    assert.deepEqual([made.email, made.role, made.role_ids], [email, 'editor', ['editor']])
    assert.match(made.invitation_url ?? '', /\/dashboard\/invitation\/[\w-]{43}$/)
    assert.deepEqual(await users.get(made._id), { ...made, invitation_url: null })
    for (const query of [{ email }, { id: made._id }, { q: `lovelace ${email.slice(0, 8)}` }])
      assert.deepEqual(
        (await users.list(query)).response.map(({ _id }) => _id),
        [made._id],
      )
    const changed = await users.update(made._id, { first_name: 'Augusta', role: 'finance_manager' })
    assert.deepEqual([changed.first_name, changed.last_name, changed.role], ['Augusta', 'Lovelace', 'viewer'])
    const detached = await users.detach(made._id)
    assert.equal(detached._id, made._id)
    await assert.rejects(users.get(made._id), { status: 404 })
  })

  test(`forms with wrapped fields from existing clients are accepted (${format})`, async () => {
    const email = newEmail()
    const headers = {
      'x-api-key': api.channel.keys.admin,
      'content-type': 'application/x-www-form-urlencoded',
      ...(format === 'xml' ? { accept: 'application/xml' } : {}),
    }
    const made = await ask(`${api.url}/site/users`, 'json', {
      method: 'POST',
      headers,
      body: `user[email]=${email}&user[first_name]=Grace&`,
    })
    assert.deepEqual([made.status, made.body.response.role], [201, 'owner'])
    const gone = await ask(`${api.url}/site/users/${made.body.response._id}/remove`, 'json', {
      method: 'PUT',
      headers,
    })
    assert.deepEqual([gone.status, gone.body.response.email], [201, email])
  })
}

test('the answer does not tell who has an account, and nobody gets one before accepting', async () => {
  const theirs = await addPublisher(api, [api.other, 'owner'])
  const { users } = api.as('admin')
  const strangers = newEmail()
  const known = await users.create({ email: theirs.email, role: 'viewer', first_name: 'Ada' })
  const unknown = await users.create({ email: strangers, role: 'viewer', first_name: 'Ada' })
  const plain = ({ _id, email, created_at, updated_at, invitation_url, ...rest }: typeof known) => rest
  assert.deepEqual(plain(known), plain(unknown))
  const shown = async ({ invitation_url }: typeof known) =>
    Object.keys((await call(api.url, 'GET', `invitation/${invitation_url?.split('/').at(-1)}`)).body)
  assert.deepEqual(await shown(known), await shown(unknown))
  assert.equal((await api.database.db`select from publishers where email = ${strangers}`).length, 0)
  // A short password is the same mistake for both.
  for (const { invitation_url } of [known, unknown]) {
    const path = `invitation/${invitation_url?.split('/').at(-1)}`
    assert.equal((await call(api.url, 'POST', path, { body: { password: 'short' } })).status, 422)
  }
  assert.equal((await users.get(known._id)).first_name, 'Ada')
  // Other addresses are no question to ask about somebody's account either.
  const member = await addPublisher(api, [api.channel, 'editor'])
  for (const email of [theirs.email, newEmail()])
    await assert.rejects(users.update(member._id, { email }), { status: 422, message: /they sign in with/ })
  await assert.rejects(users.create({ email: member.email }), { status: 422 })
  assert.equal((await users.update(unknown._id, { email: newEmail(), role: 'editor' })).role, 'editor')
})

test('a user whom one channel has invited can join another one first', async () => {
  const email = newEmail()
  await api.other.as('admin').users.create({ email, role: 'owner' })
  const { invitation_url } = await api
    .as('admin')
    .users.create({ email, role: 'editor', last_name: 'Hopper' })
  const path = `invitation/${invitation_url?.split('/').at(-1)}`
  const accepted = await call(api.url, 'POST', path, { body: { password } })
  assert.equal(accepted.status, 200)
  assert.deepEqual([accepted.body.user.name, accepted.body.channels.length], ['Hopper', 1])
})

test('invitations are events with the record of the user and without its link; accepting one is a new member', async () => {
  const { users, events } = api.as('admin')
  const made = await users.create({ email: newEmail(), role: 'editor' })
  const changed = await users.update(made._id, { role: 'viewer', last_name: 'Hopper' })
  await users.update(made._id, { role: 'viewer' })
  await users.detach(made._id)
  const { response } = await events.list({ record_id: made._id })
  assert.deepEqual(
    response.map(({ type }) => type),
    ['invitation.deleted', 'invitation.updated', 'invitation.created'],
  )
  assert.deepEqual(response[2]?.data, { ...made, invitation_url: null })
  assert.deepEqual(response[1]?.data, changed)
  assert.deepEqual(response[1]?.previous, { last_name: null, role: 'editor' })

  const accepted = await users.create({ email: newEmail(), role: 'owner' })
  const path = `invitation/${accepted.invitation_url?.split('/').at(-1)}`
  await call(api.url, 'POST', path, { body: { password } })
  const owner = await signInAs(api, accepted)
  const types = (await events.list({ record_id: accepted._id })).response.map(({ type }) => type)
  assert.deepEqual(types.slice(-2), ['member.created', 'invitation.created'])
  const again = await owner.call('POST', 'invitations', { email: newEmail(), role: 'viewer' }, api.channel)
  await owner.call('DELETE', `invitations/${again.body._id}`, undefined, api.channel)
  const byOwner = (await events.list({ record_id: again.body._id })).response
  assert.deepEqual(
    byOwner.map(({ type, actor }) => [type, actor.id]),
    [
      ['invitation.deleted', accepted._id],
      ['invitation.created', accepted._id],
    ],
  )
})

test('only the role of a user who is in other channels too can be changed', async () => {
  const shared = await addPublisher(api, [api.channel, 'editor'], [api.other, 'owner'])
  const { users } = api.as('admin')

  for (const change of [{ email: newEmail() }, { first_name: 'Mallory' }])
    await assert.rejects(users.update(shared._id, change), { status: 422 })
  assert.equal((await users.update(shared._id, { role: 'viewer' })).role, 'viewer')
  await users.detach(shared._id)
  assert.equal((await api.other.as('admin').users.get(shared._id)).role, 'owner')
  await signInAs(api, shared)
})

test('the last owner of a channel can be neither removed nor demoted', async () => {
  const owner = await addPublisher(api, [api.other, 'owner'])
  const owners = (await api.other.as('admin').users.list({ per_page: 100 })).response
  const { users } = api.other.as('admin')
  for (const { _id } of owners) if (_id !== owner._id) await users.update(_id, { role: 'viewer' })
  const browser = await signInAs(api, owner)

  await assert.rejects(users.update(owner._id, { role: 'editor' }), { status: 422 })
  await assert.rejects(users.detach(owner._id), { status: 422 })
  assert.equal((await browser.call('PUT', `members/${owner._id}`, { role: 'viewer' }, api.other)).status, 422)
  assert.equal((await browser.call('DELETE', `members/${owner._id}`, undefined, api.other)).status, 422)
})

test('a new user chooses a password by the link, and signs in', async () => {
  const email = newEmail()
  const { _id, invitation_url } = await api.as('admin').users.create({ email, role: 'editor' })
  const token = (invitation_url ?? '').split('/').at(-1)
  const before = await call(api.url, 'POST', 'session', { body: { email, password: '' } })

  const shown = await call(api.url, 'GET', `invitation/${token}`)
  const accepted = await call(api.url, 'POST', `invitation/${token}`, {
    body: { name: 'Mary Jane Watson', password },
  })

  assert.equal(before.status, 422)
  assert.deepEqual([shown.body.email, shown.body.channel, shown.body.role], [email, 'One', 'editor'])
  assert.equal(accepted.status, 200)
  assert.deepEqual([accepted.body.user._id, accepted.body.user.name], [_id, 'Mary Jane Watson'])
  const { sign_in_count, last_name } = await api.as('admin').users.get(_id)
  assert.deepEqual([sign_in_count, last_name], [1, 'Jane Watson'])
  await signInAs(api, { email })
  assert.equal((await call(api.url, 'GET', `invitation/${token}`)).status, 404)
})
