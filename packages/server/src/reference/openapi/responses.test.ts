import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApi } from './document.js'

interface Answering {
  readonly operationId: string
  readonly responses: Readonly<Record<string, { readonly headers?: Readonly<Record<string, object>> }>>
}

const document = openApi({ apiUrl: 'https://api.example.com', version: '1.2.3' })
const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Answering[])

test('every list declares the header that says what was ignored, and nothing else does', () => {
  const reference = { $ref: '#/components/headers/Notice' }
  const lists = operations.filter(({ operationId }) => operationId.startsWith('list'))

  assert.ok(lists.length > 30)
  for (const { operationId, responses } of lists)
    assert.deepEqual(responses[200]?.headers?.['X-Notice'], reference, operationId)
  for (const { operationId, responses } of operations)
    if (/^(get|create|update|delete)/.test(operationId))
      assert.ok(!JSON.stringify(responses).includes(reference.$ref), operationId)
})
