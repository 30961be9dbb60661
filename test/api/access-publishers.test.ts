import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { allows, type Role, roles } from '@zoetrope/contract'
import { startApi, type TestApi } from '../support/api.js'
import { addPublisher, type Browser, signInAs } from '../support/publishers.js'
import { type Endpoint, endpoints, makeTarget, ownerFor, perform } from './access-targets.js'

let api: TestApi
let stranger: Browser
const inside = new Map<Role, Browser>()
const kinds = Object.keys(roles) as Role[]

before(async () => {
  api = await startApi()
  for (const role of kinds)
    inside.set(role, await signInAs(api, await addPublisher(api, [api.channel, role])))
  stranger = await signInAs(api, await addPublisher(api, [api.other, 'owner']))
  // Making keys needs a password that was given a few minutes ago, and a slow machine may need longer.
  await api.database.db`update publisher_sessions set confirmed_at = now() + interval '1 day'`
})
after(() => api.stop())

const targetOf = async (endpoint: Endpoint) =>
  makeTarget(api, api.channel, endpoint, await ownerFor(api.channel, endpoint))

/** Publishers are neither apps nor consumers. */
const statusFor = ({ resource, success }: Endpoint) => (resource.name.startsWith('own_') ? 404 : success)

const isWrite = ({ method }: Endpoint) => method !== 'GET'

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

    for (const role of kinds.filter((each) => !refused.includes(each)).reverse()) {
      const { status, body } = await perform(
        api,
        endpoint,
        target,
        inside.get(role)?.headers(api.channel) ?? {},
        'json',
      )
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
