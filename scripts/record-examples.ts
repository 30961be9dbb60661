/**
 * Calls every operation on records once, as test/api/access.test.ts does, and writes what was sent and answered into
 * packages/server/src/http/openapi/recorded-examples.ts, for the reference. That test compares their shapes.
 */
import { rm, writeFile } from 'node:fs/promises'
import { endpoints, makeTarget, newEmail, perform } from '../test/api/access-targets.js'
import { startApi, type TestApi } from '../test/support/api.js'
import { type Example, exampleOf, operationOf, withNeeded } from '../test/support/examples.js'
import { startTestPostgres } from '../test/support/postgres.js'

const file = new URL('../packages/server/src/http/openapi/recorded-examples.ts', import.meta.url)

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

const written = (examples: readonly Example[]) => `/**
 * What tests sent and were answered, one call in a line; ids, times and secrets are replaced. Written by
 * \`npm run record-examples\`.
 */
export const recordedLines = String.raw\`
${examples.map((example) => JSON.stringify(example)).join('\n')}
\`
`

const postgres = await startTestPostgres()
process.env.TEST_POSTGRES = JSON.stringify(postgres.connection)
try {
  const api = await startApi()
  const text = written(await record(api))
  await api.stop()
  await writeFile(file, text)
  console.log(`Wrote ${file.pathname}: ${text.length} characters.`)
} finally {
  await postgres.stop()
  await rm(postgres.folder, { recursive: true, force: true })
}
