import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Resource } from '@zoetrope/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import { keepAnswers } from '../packages/server/src/api/answers.js'
import { addBodies } from '../packages/server/src/api/body.js'
import { addErrors } from '../packages/server/src/api/error-handler.js'
import { plainPath } from '../packages/server/src/api/format.js'
import { addResource } from '../packages/server/src/api/resource-routes.js'
import { resourceOperations } from '../packages/server/src/reference/openapi/operations.js'
import { ask, type Reply } from './api/ask.js'
import { type Format, formats, startApi, type TestApi } from './support/api.js'
import { blocksOf, type Page, readPage, root } from './support/markdown.js'

let api: TestApi
let page: Page
let app: FastifyInstance
let url: string
let folder: string
let presenters: Resource
before(async () => {
  api = await startApi()
  page = await readPage('CONTRIBUTING.md')
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-resource-'))
  presenters = await defined(blocksOf(page, 'ts')[0] ?? '')
  await api.database.db.unsafe(blocksOf(page, 'sql')[0] ?? '')
  app = Fastify({
    rewriteUrl: (request) => plainPath(request.url ?? '/', () => false),
    routerOptions: { querystringParser: () => ({}) },
  })
  addErrors(app)
  addBodies(app)
  addResource(app, api.parts, keepAnswers(1000), presenters, { actions: {} })
  url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/presenters`
})
after(async () => {
  await app.close()
  await api.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Loads the resource that this code defines. */
async function defined(code: string): Promise<Resource> {
  const contract = pathToFileURL(join(root, 'packages/contract/src')).href
  const file = join(folder, 'presenters.ts')
  await writeFile(file, code.replaceAll("'../", `'${contract}/`).replaceAll('.js', '.ts'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  return ((await import(pathToFileURL(file).href)) as { presenters: Resource }).presenters
}

const call = (method: string, path: string, format: Format, fields?: object, key = api.channel.keys.admin) =>
  ask(url + path, format, {
    method,
    headers: {
      'x-api-key': key,
      accept: format === 'xml' ? 'text/xml' : 'application/json',
      'content-type': 'application/json',
    },
    ...(fields ? { body: JSON.stringify({ presenter: fields }) } : {}),
  })
const idOf = ({ body }: Reply) => String(body.response._id)

test('the resource that CONTRIBUTING.md adds costs less than sixty lines', () => {
  const blocks = ['ts', 'sql', 'text'].map((language) => blocksOf(page, language)[0] ?? '')
  const lines = blocks
    .join('\n')
    .split('\n')
    .filter((line) => line.trim() !== '').length
  assert.ok(blocks.every((block) => block.includes('presenter')))
  assert.ok(lines + 2 < 60, `${lines} lines and two more`)
})

for (const format of formats)
  test(`and is served: made, read, found, sorted, changed, refused and removed (${format})`, async () => {
    const made = await call('POST', '', format, { name: 'Ada Byron', languages: ['en', 'fr'] })
    assert.equal(made.status, 201, made.body.message)
    const { name, active, priority, role, languages, biography } = made.body.response
    assert.deepEqual(
      [name, active, priority, role, languages, biography],
      ['Ada Byron', true, 0, 'host', ['en', 'fr'], null],
    )
    const id = idOf(made)
    const found = await call('GET', '?q=byron&role=host&priority.lte=0&sort=name&order=asc', format)
    assert.deepEqual(
      found.body.response.map(({ _id }) => _id),
      [id],
    )
    assert.equal((await call('PUT', `/${id}/`, format, { priority: 3 })).body.response.priority, 3)
    const refused = await call('PUT', `/${id}`, format, { role: 'king', priority: 1.5 })
    assert.deepEqual([refused.status, Object.keys(refused.body.errors).sort()], [422, ['priority', 'role']])
    assert.equal((await call('GET', `/${id}`, format, undefined, api.channel.keys.read_only)).status, 200)
    assert.equal((await call('PUT', `/${id}`, format, {}, api.channel.keys.read_only)).status, 403)
    assert.equal((await call('GET', `/${id}`, format, undefined, api.other.keys.admin)).status, 404)
    assert.equal((await call('DELETE', `/${id}`, format)).status, 204)
    assert.equal((await call('GET', `/${id}`, format)).status, 404)
  })

test('and is documented: five operations with their parameters', () => {
  assert.deepEqual(
    resourceOperations(presenters).map(({ method, path }) => `${method} ${path}`),
    [
      'get /presenters',
      'get /presenters/{id}',
      'post /presenters',
      'put /presenters/{id}',
      'delete /presenters/{id}',
    ],
  )
})
