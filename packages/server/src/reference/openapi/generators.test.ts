/** What code generators tripped over. `npm run lab -- try-generators` runs four of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonSchema } from '@zoetrope/contract'
import { openApi } from './document.js'

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name?: string; readonly schema?: JsonSchema }[]
  readonly requestBody?: object
  readonly responses: object
}

const document = openApi({ apiUrl: 'https://api.example.com', version: '1.2.3' })
const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Operation[])

/** Every value under a key of this name, anywhere inside. */
function everywhere(key: string, within: unknown): unknown[] {
  if (typeof within !== 'object' || within === null) return []
  return Object.entries(within).flatMap(([name, value]) => [
    ...(name === key ? [value] : []),
    ...everywhere(key, value),
  ])
}

test('patterns are regular expressions with and without the flag u, which not every tool sets', () => {
  const patterns = everywhere('pattern', document).filter((pattern) => typeof pattern === 'string')

  assert.ok(patterns.length > 100)
  for (const pattern of new Set(patterns)) {
    assert.doesNotThrow(() => [new RegExp(pattern), new RegExp(pattern, 'u')], pattern)
    assert.doesNotMatch(pattern, /\\[pP]\{/)
  }
})

test('no field of a request has a default, which generators take for a field that must be sent', () => {
  const inputs = Object.entries(document.components.schemas).filter(([name]) => /(Input|Update)$/.test(name))
  const bodies = operations.map(({ requestBody }) => requestBody)

  // A property may be called `default`; then it is a schema with a description.
  const found = everywhere('default', [inputs, bodies]).filter(
    (value) => (value as { description?: string } | null)?.description === undefined,
  )
  assert.deepEqual(found, [])
  const fields = document.components.schemas.VideoInput?.properties as Record<string, JsonSchema>
  assert.match(String(fields.active?.description), /`true` if it is not sent\.$/)
})

test('choices stand at one of the parameters whose names differ in signs only', () => {
  for (const { operationId, parameters = [] } of operations) {
    const withChoices = parameters.filter(({ schema }) => everywhere('enum', schema).length > 0)
    const names = withChoices.map(({ name = '' }) => name.replaceAll(/\W/g, ''))
    assert.deepEqual([...new Set(names)], names, operationId)
  }
})

test('an answer in JSON is an object', () => {
  const answers = operations.flatMap(({ responses }) => everywhere('application/json', responses))

  assert.ok(answers.length > 100)
  for (const { schema } of answers as { schema: { $ref?: string; type?: string; anyOf?: unknown } }[])
    assert.ok(schema.$ref || schema.anyOf || schema.type === 'object', JSON.stringify(schema))
})
