import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  allows,
  catalog,
  confirmedEndpoints,
  confirmedFields,
  type Field,
  needsConfirmation,
  type Resource,
  type Role,
  roles,
} from '@zoetrope/contract'
import { endpoints as ownEndpoints } from '../../packages/server/src/publishers/index.js'
import { startApi, type TestApi } from '../support/api.js'
import { addPublisher, type Browser, call, cookieIn, password, signInAs } from '../support/publishers.js'
import { type Endpoint, endpoints, makeTarget, ownerFor, perform, type Target } from './access-targets.js'
import { ask, type Reply } from './ask.js'

let api: TestApi
let stranger: Browser
/** An owner whose session was left open: the password was given an hour ago. */
let leftOpen: Browser
const inside = new Map<Role, Browser>()
const kinds = Object.keys(roles) as Role[]

before(async () => {
  api = await startApi()
  for (const role of kinds)
    inside.set(role, await signInAs(api, await addPublisher(api, [api.channel, role])))
  stranger = await signInAs(api, await addPublisher(api, [api.other, 'owner']))
  // Making keys needs a password that was given a few minutes ago, and a slow machine may need longer.
  await api.database.db`update publisher_sessions set confirmed_at = now() + interval '1 day'`
  const absent = await addPublisher(api, [api.channel, 'owner'])
  leftOpen = await signInAs(api, absent)
  await api.database.db`
    update publisher_sessions set confirmed_at = now() - interval '1 hour' where publisher_id = ${absent._id}
  `
})
after(() => api.stop())

const targetOf = async (endpoint: Endpoint) =>
  makeTarget(api, api.channel, endpoint, await ownerFor(api.channel, endpoint))

/** Publishers are neither apps nor consumers. */
const statusFor = ({ resource, success }: Endpoint) => (resource.name.startsWith('own_') ? 404 : success)

const isWrite = ({ method }: Endpoint) => method !== 'GET'

const isUnconfirmed = ({ status, body }: Pick<Reply, 'status' | 'body'>) =>
  status === 403 && body.code === 'confirm_required'

/** The owner who may do this: a session that was left open will do, except where confirmation is needed. */
async function ownerWho(endpoint: Endpoint, target: Target): Promise<Browser | undefined> {
  const { resource, name } = endpoint
  if (!needsConfirmation(resource, name, target.fields) || !allows('owner', resource, name)) return leftOpen
  assert.ok(isUnconfirmed(await perform(api, endpoint, target, leftOpen.headers(api.channel), 'json')))
  return inside.get('owner')
}

for (const endpoint of endpoints)
  test(`${endpoint.method} ${endpoint.path} allows each role in a channel exactly what it may do`, async () => {
    const refused = kinds.filter((role) => !allows(role, endpoint.resource, endpoint.name))
    let target = await targetOf(endpoint)
    for (const role of refused) {
      const { status, body } = await perform(
        api,
        endpoint,
        target,
        inside.get(role)?.headers(api.channel) ?? {},
        'json',
      )
      assert.deepEqual([role, status], [role, 403], body.message)
    }
    if (endpoint.path.includes(':')) {
      const { status } = await perform(api, endpoint, target, stranger.headers(api.other), 'json')
      assert.deepEqual(['a stranger', status], ['a stranger', 404])
    }
    const { status: abroad } = await perform(api, endpoint, target, stranger.headers(api.channel), 'json')
    assert.equal(abroad, 401, 'somebody of another channel names this one')

    const owner = await ownerWho(endpoint, target)
    for (const role of kinds.filter((each) => !refused.includes(each)).reverse()) {
      const headers = (role === 'owner' ? owner : inside.get(role))?.headers(api.channel) ?? {}
      const { status, body } = await perform(api, endpoint, target, headers, 'json')
      assert.deepEqual([role, status], [role, statusFor(endpoint)], body.message)
      if (isWrite(endpoint) && role !== 'owner') target = await targetOf(endpoint)
    }
  })

test('a viewer may only read, and neither an editor nor a viewer can access secrets', () => {
  for (const { resource, name, method } of endpoints) {
    if (method !== 'GET') assert.ok(!allows('viewer', resource, name), `${method} ${name} ${resource.path}`)
    if (!allows('editor', resource, name)) assert.ok(!allows('viewer', resource, name))
    if (Object.values(resource.fields).some(({ kind }) => kind === 'secret'))
      assert.ok(!allows('viewer', resource, name), `${name} ${resource.plural}`)
    // Replacing a secret requires the password, which the API does not accept.
    assert.equal(allows('owner', resource, name), !(resource.plural === 'apps' && name === 'rotate'))
  }
  for (const { resource, name } of endpoints.filter(({ resource: { plural } }) => plural === 'apps'))
    assert.ok(!allows('editor', resource, name))
})

const texts = {
  url: 'https://example.com/',
  redirect: 'https://example.com/',
  domain: 'example.com',
  email: 'somebody@example.com',
} as Readonly<Record<string, string>>

/** A value that the field takes. */
function sampleOf(field: Field | undefined): unknown {
  if (field?.kind === 'flag') return true
  if (field?.kind === 'id') return 'f'.repeat(24)
  if (field?.kind === 'integer') return 1
  if (field?.kind === 'choice') return field.options[0]
  if (field?.kind === 'timestamp') return new Date(Date.now() + 3_600_000).toISOString()
  if (field?.kind === 'list') return [sampleOf(field.of)]
  if (field?.kind === 'password') return 'a password of nobody'
  return field?.kind === 'text' ? (texts[field.format ?? ''] ?? '*:read') : undefined
}

for (const endpoint of endpoints.filter(({ resource, name }) => confirmedFields(resource, name).length > 0))
  test(`${endpoint.method} ${endpoint.path} needs confirmation for each field that widens access`, async () => {
    const { resource } = endpoint
    const target = await targetOf(endpoint)
    const given = endpoint.name === 'create' ? target.fields : {}
    const send = (fields: object) => {
      const all = { ...target, fields: { ...given, ...fields } as never }
      return perform(api, endpoint, all, leftOpen.headers(api.channel), 'json')
    }
    for (const name of confirmedFields(resource, endpoint.name)) {
      const field = resource.fields[name]
      assert.ok(isUnconfirmed(await send({ [name]: sampleOf(field) })), name)
      if (field?.kind === 'flag')
        assert.equal((await send({ [name]: false })).status, endpoint.success, `${name} off`)
    }
  })

/** Resources whose records show a secret, though creating them gives nobody access that a publisher has not granted. */
const harmless = ['webhook', 'consumer', 'pin', 'ad_tag']

test('a resource that has secrets says that its records are credentials', () => {
  for (const resource of Object.values<Resource>(catalog)) {
    const hasSecret = Object.entries(resource.fields).some(
      ([name, { kind }]) => kind === 'secret' || /(^|_)(token|secret|(?<!public_)key|pin)$/.test(name),
    )
    if (hasSecret && !harmless.includes(resource.name)) assert.ok(resource.credential, resource.name)
  }
})

/** Writes of the dashboard's own API that a session may make which was left open. A new one is decided here. */
const unasked = [
  ...['POST /session', 'DELETE /session', 'DELETE /sessions'],
  // These ask for the password, or for a link.
  ...['PUT /password', 'POST /confirm', 'POST /totp', 'DELETE /totp', 'POST /welcome', 'PUT /welcome'],
  ...['POST /forgotten-password', 'PUT /forgotten-password', 'POST /invitation/:token'],
  // These take access away, or give none.
  ...[
    'DELETE /members/:id',
    'DELETE /invitations/:id',
    'POST /all-videos',
    'POST /sample',
    'POST /status/mail',
  ],
  ...['POST /views', 'PUT /views/:id', 'DELETE /views/:id', 'POST /storage/check', 'POST /storage/verify'],
]

test("the dashboard's own endpoints ask for confirmation as the contract says", async () => {
  const writes = Object.entries(ownEndpoints).flatMap(([path, verbs]) =>
    Object.keys(verbs)
      .filter((verb) => verb !== 'GET')
      .map((verb) => `${verb} ${path}`),
  )
  const asked = Object.entries(confirmedEndpoints).flatMap(([path, verbs]) =>
    (verbs as readonly string[]).map((verb) => `${verb} ${path}`),
  )
  assert.deepEqual([...asked, ...unasked].sort(), writes.sort())
  for (const [verb = '', path = ''] of asked.map((each) => each.split(' '))) {
    const at = path.slice(1).replace(':kind', 'admin').replace(':id', api.channel.app._id)
    assert.ok(isUnconfirmed(await leftOpen.call(verb, at, {}, api.channel)), `${verb} ${path}`)
  }
})

test('a batch is no way around confirmation: nothing of it is done', async () => {
  const { _id } = await api.as('admin').webhooks.create({
    url: 'https://example.com/hook',
    events: ['*'],
    active: false,
  })
  const video = await api.as('admin').videos.create({ title: 'Before' })
  const requests = [
    { method: 'PUT', path: `/videos/${video._id}`, body: { title: 'After' } },
    { method: 'PUT', path: `/webhooks/${_id}`, body: { active: true } },
  ]
  const headers = { ...leftOpen.headers(api.channel), 'content-type': 'application/json' }
  const body = JSON.stringify({ requests })
  assert.ok(isUnconfirmed(await ask(`${api.url}/batch`, 'json', { method: 'POST', headers, body })))
  assert.equal((await api.as('admin').videos.get(video._id)).title, 'Before')
  assert.equal((await api.as('admin').webhooks.get(_id)).active, false)
})

test('who accepts an invitation with a new password has to confirm it before keys are shown', async () => {
  const owner = inside.get('owner')
  const invited = { email: 'new-owner@example.com', role: 'owner' }
  const made = await owner?.call('POST', 'invitations', invited, api.channel)
  const token = made?.body.link.split('/').at(-1)
  const accepted = await call(api.url, 'POST', `invitation/${token}`, { body: { name: 'New', password } })
  const headers = {
    cookie: cookieIn(accepted),
    'x-csrf-token': accepted.body.csrf_token,
    'x-channel-id': api.channel.channel._id,
  }
  const reveal = () => call(api.url, 'POST', 'keys/admin/reveal', { headers, body: {} })
  assert.equal(accepted.status, 200)
  assert.ok(isUnconfirmed(await reveal()))
  assert.equal((await call(api.url, 'POST', 'confirm', { headers, body: { password } })).status, 204)
  assert.equal((await reveal()).status, 200)
})
