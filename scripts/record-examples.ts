/**
 * Calls every operation on records and tokens once, as test/api/access.test.ts does. Writes the requests and responses
 * to packages/server/assets/reference/examples.jsonl, for the reference. That test compares their shapes.
 */
import { rm, writeFile } from 'node:fs/promises'
import { endpoints, makeTarget, newEmail, perform } from '../test/api/access-targets.js'
import { ask } from '../test/api/ask.js'
import { startOwnApi, type TestApi } from '../test/support/api.js'
import { type Example, exampleOf, operationOf, plainExample, withNeeded } from '../test/support/examples.js'
import { startTestPostgres } from '../test/support/postgres.js'

const file = new URL('../packages/server/assets/reference/examples.jsonl', import.meta.url)

async function record(api: TestApi): Promise<Example[]> {
  const examples: Example[] = []
  for (const endpoint of endpoints) {
    const isOwn = endpoint.resource.name.startsWith('own_')
    const needsSession = isOwn || endpoint.resource.name === 'session'
    const viewer = needsSession ? await api.channel.consumer() : undefined
    const owner = viewer?._id ?? (await api.as('admin').consumers.create({ email: newEmail() }))._id
    const headers: Record<string, string> = isOwn
      ? { authorization: `Bearer ${viewer?.access_token}` }
      : { 'x-api-key': api.channel.keys.admin }
    const target = withNeeded(endpoint, await makeTarget(api, api.channel, endpoint, owner))
    const reply = await perform(api, endpoint, target, headers, 'json')
    if (reply.status !== endpoint.success) throw new Error(`${operationOf(endpoint)}: ${reply.text}`)
    examples.push(exampleOf(endpoint, target, reply))
  }
  return examples
}

/** Records the calls that are not about records: tokens, and the health of the platform. */
async function recordOthers(api: TestApi): Promise<Example[]> {
  const { client_id, client_secret } = api.channel.app
  const { email, password, access_token } = await api.channel.consumer()
  const client = { client_id, client_secret }
  const calls: readonly (readonly [operation: string, path: string, form?: Record<string, string>])[] = [
    ['POST /oauth/token', '/oauth/token', { grant_type: 'password', ...client, username: email, password }],
    ['POST /oauth/introspect', '/oauth/introspect', { ...client, token: access_token }],
    ['GET /oauth/token/info', `/oauth/token/info?access_token=${access_token}`],
    ['POST /oauth/device_authorization', '/oauth/device_authorization', { ...client, scope: 'consumer' }],
    ['POST /oauth/revoke', '/oauth/revoke', { ...client, token: access_token }],
    ['GET /.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server'],
    ['GET /healthz', '/healthz'],
    ['GET /readyz', '/readyz'],
  ]
  const examples: Example[] = []
  for (const [operation, path, form] of calls) {
    const body = form ? { method: 'POST', body: new URLSearchParams(form) } : {}
    const reply = await ask(api.url + path, 'json', body)
    if (reply.status !== 200) throw new Error(`${operation}: ${reply.text}`)
    examples.push(plainExample(operation, path, form, reply))
  }
  return examples
}

const written = (examples: readonly Example[]) =>
  examples.map((example) => `${JSON.stringify(example)}\n`).join('')

const postgres = await startTestPostgres()
process.env.TEST_POSTGRES = JSON.stringify(postgres.connection)
try {
  const api = await startOwnApi()
  const text = written([...(await record(api)), ...(await recordOthers(api))])
  await api.stop()
  await writeFile(file, text)
  console.log(`Wrote ${file.pathname}: ${text.length} characters.`)
} finally {
  await postgres.stop()
  await rm(postgres.folder, { recursive: true, force: true })
}
