import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApi } from './document.js'

interface Answering {
  readonly operationId: string
  readonly responses: Readonly<Record<string, { readonly headers?: Readonly<Record<string, object>> }>>
}

const document = openApi({ apiUrl: 'https://api.example.com', version: '1.2.3' })
const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Answering[])

test('every operation of a resource declares the headers that say what was ignored, and what is left of a limit', () => {
  const reference = { $ref: '#/components/headers/Notice' }
  const left = { $ref: '#/components/headers/RateLimit' }
  for (const name of ['listVideos', 'getVideo', 'createVideo', 'updatePlaylist', 'deleteVideo']) {
    const found = operations.find(({ operationId }) => operationId === name)
    const [, response] = Object.entries(found?.responses ?? {}).find(([status]) => status < '300') ?? []
    assert.deepEqual(response?.headers?.['X-Notice'], reference, name)
    assert.deepEqual(response?.headers?.RateLimit, left, name)
  }
})
