/**
 * The same small program for each generated client. Types are checked with `strict`, so a generator's mistakes about
 * fields, parameters or responses show before anything is called.
 */

const begin = `
const url = process.env.ZOETROPE_URL ?? ''
const key = process.env.ZOETROPE_KEY ?? ''
const nothing = '0123456789abcdef01234567'
function must<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error('There is no ' + what)
  return value
}
function equal<T>(actual: T, expected: NoInfer<T>): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) throw new Error(JSON.stringify(actual) + ' is not ' + JSON.stringify(expected))
}
`

const openapiTypescript = `
import createClient from 'openapi-fetch'
import type { paths } from './client/types.js'
${begin}
const client = createClient<paths>({ baseUrl: url, headers: { 'X-Api-Key': key } })
const made = await client.POST('/videos', { body: { video: { title: 'Generated' } } })
const id = must(made.data, 'video').response._id
const changed = await client.PUT('/videos/{id}', { params: { path: { id } }, body: { video: { keywords: ['a'] } } })
equal(must(changed.data, 'video').response.keywords, ['a'])
const query = { per_page: 2, sort: 'created_at', status: ['created'], 'status!': ['ready'], 'created_at.gte': '2020-01-01' } as const
const list = await client.GET('/videos', { params: { query: { ...query, status: ['created'], 'status!': ['ready'] } } })
equal(must(list.data, 'list').response[0]?.title, 'Generated')
equal(must(list.data, 'list').pagination.per_page, 2)
const player = await client.GET('/videos/{id}/player', { params: { path: { id } } })
equal(typeof must(player.data, 'player').response.iframe, 'string')
const missing = await client.GET('/videos/{id}', { params: { path: { id: nothing } } })
equal(must(missing.error, 'error').code, 'not_found')
const gone = await client.DELETE('/videos/{id}', { params: { path: { id } } })
equal(gone.response.status, 204)
`

const heyApi = `
import { client } from './client/client.gen.js'
import { createVideo, deleteVideo, getPlayerSnippets, getVideo, listVideos, updateVideo } from './client/sdk.gen.js'
${begin}
client.setConfig({ baseUrl: url, headers: { 'X-Api-Key': key } })
const made = await createVideo({ body: { video: { title: 'Generated' } } })
const id = must(made.data, 'video').response._id
const changed = await updateVideo({ path: { id }, body: { video: { keywords: ['a'] } } })
equal(must(changed.data, 'video').response.keywords, ['a'])
const list = await listVideos({
  query: { per_page: 2, sort: 'created_at', status: ['created'], 'status!': ['ready'], 'created_at.gte': '2020-01-01' },
})
equal(must(list.data, 'list').response[0]?.title, 'Generated')
equal(must(list.data, 'list').pagination.per_page, 2)
const player = await getPlayerSnippets({ path: { id } })
equal(typeof must(player.data, 'player').response.iframe, 'string')
const missing = await getVideo({ path: { id: nothing } })
equal(must(missing.error, 'error').code, 'not_found')
const gone = await deleteVideo({ path: { id } })
equal(must(gone.response, 'answer').status, 204)
`

const orval = `
import { createVideo, deleteVideo, getPlayerSnippets, getVideo, listVideos, updateVideo } from './client/api.js'
${begin}
const read = { headers: { 'X-Api-Key': key } }
const written = { headers: { ...read.headers, 'Content-Type': 'application/json' } }
const made = await createVideo({ video: { title: 'Generated' } }, written)
if (made.status !== 201) throw new Error(JSON.stringify(made.data))
const id = made.data.response._id
const changed = await updateVideo(id, { video: { keywords: ['a'] } }, written)
if (changed.status !== 200) throw new Error(JSON.stringify(changed.data))
equal(changed.data.response.keywords, ['a'])
const list = await listVideos(
  { per_page: 2, sort: 'created_at', status: ['created'], 'status!': ['ready'], 'created_at.gte': '2020-01-01' },
  read,
)
if (list.status !== 200) throw new Error(JSON.stringify(list.data))
equal(list.data.response[0]?.title, 'Generated')
equal(list.data.pagination.per_page, 2)
const player = await getPlayerSnippets(id, undefined, read)
if (player.status !== 200) throw new Error(JSON.stringify(player.data))
equal(typeof player.data.response.iframe, 'string')
const missing = await getVideo(nothing, undefined, read)
if (missing.status !== 404) throw new Error(JSON.stringify(missing.data))
equal(missing.data.code, 'not_found')
const gone = await deleteVideo(id, read)
equal(gone.status, 204)
`

const swaggerTypescriptApi = `
import { Api } from './client/api.js'
${begin}
const api = new Api({ baseUrl: url, baseApiParams: { headers: { 'X-Api-Key': key } } })
const made = await api.videos.createVideo({ video: { title: 'Generated' } })
const id = made.data.response._id
const changed = await api.videos.updateVideo(id, { video: { keywords: ['a'] } })
equal(changed.data.response.keywords, ['a'])
const list = await api.videos.listVideos({
  per_page: 2, sort: 'created_at', status: ['created'], 'status!': ['ready'], 'created_at.gte': '2020-01-01',
})
equal(list.data.response[0]?.title, 'Generated')
equal(list.data.pagination.per_page, 2)
const player = await api.videos.getPlayerSnippets(id)
equal(typeof player.data.response.iframe, 'string')
const missing: { error: { code: string } } = await api.videos.getVideo(nothing).then(
  () => Promise.reject(new Error('It is there.')),
  (refused) => refused,
)
equal(missing.error.code, 'not_found')
equal((await api.videos.deleteVideo(id)).status, 204)
`

export interface Generator {
  readonly name: string
  /** The npm packages to install. */
  readonly packages: readonly string[]
  /** The generator's command. It reads openapi.json and writes the client to the folder `client`. */
  readonly command: readonly string[]
  /** Files that it needs beside the document. */
  readonly files?: (url: string) => Readonly<Record<string, string>>
  readonly program: string
}

export const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0'],
    command: ['openapi-typescript', 'openapi.json', '-o', 'client/types.ts'],
    program: openapiTypescript,
  },
  {
    name: 'hey-api',
    packages: ['@hey-api/openapi-ts@0.99.0'],
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'client'],
    program: heyApi,
  },
  {
    name: 'orval',
    packages: ['orval@8.38.0'],
    command: ['orval', '--config', 'orval.config.mjs'],
    files: (url) => ({
      'orval.config.mjs': `export default { api: { input: './openapi.json', output: { target: './client/api.ts', client: 'fetch', baseUrl: '${url}' } } }\n`,
    }),
    program: orval,
  },
  {
    name: 'swagger-typescript-api',
    packages: ['swagger-typescript-api@13.13.0'],
    command: ['swagger-typescript-api', 'generate', '-p', './openapi.json', '-o', './client', '-n', 'api.ts'],
    program: swaggerTypescriptApi,
  },
]
