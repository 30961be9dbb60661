import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import type { S3Settings } from '../../packages/server/src/config/storage-url.js'
import { createMemoryStore, listPage, type MemoryStore, S3Error } from './s3-memory.js'
import { checkSignature } from './s3-signatures.js'
import { note } from './secrets.js'

const require = createRequire(import.meta.url)
const S3rver = require('s3rver') as new (
  options: object,
) => {
  store: MemoryStore
  context: { store: MemoryStore }
  middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[]
  callback(): (request: IncomingMessage, response: ServerResponse) => void
}

interface Context {
  readonly method: string
  readonly path: string
  readonly query: Record<string, string | undefined>
  readonly headers: Record<string, string | undefined>
  status: number
  type: string
  body: unknown
}

const bucket = 'films'
const credentials = { accessKeyId: 'ZOETROPE', secretAccessKey: 'a secret/of the+store of tests' }
const { DUMMY_ACCOUNT: account } = require('s3rver/lib/models/account') as {
  DUMMY_ACCOUNT: { createKeyPair(key: string, secret: string): void }
}
account.createKeyPair(credentials.accessKeyId, credentials.secretAccessKey)
note(credentials.secretAccessKey)

export interface TestS3 {
  readonly store: MemoryStore
  readonly port: number
  /** How many bytes of objects whose keys contain these words were sent so far. */
  sentOf(words: string): number
  /** The addresses with these words that were requested so far, without repetitions. */
  requestsOf(words: string): string[]
  /** The settings of a storage in it. */
  settings(changes?: Partial<S3Settings>): S3Settings
  stop(): Promise<void>
}

export const settingsOf = (port: number, changes: Partial<S3Settings> = {}): S3Settings => ({
  kind: 's3',
  host: `127.0.0.1:${port}`,
  tls: false,
  region: 'us-east-1',
  bucket,
  prefix: 'zoetrope',
  isPathStyle: true,
  credentials,
  ...changes,
})

/** The same as a value of STORAGE_URL. */
export const storageUrlOf = (port: number): string => addressOf(settingsOf(port))

/** Settings as a value of STORAGE_URL. */
export function addressOf({
  host,
  tls,
  region,
  bucket,
  prefix,
  isPathStyle,
  credentials,
}: S3Settings): string {
  const secret = encodeURIComponent(credentials?.secretAccessKey ?? '')
  const options = `region=${region}&path_style=${isPathStyle}&tls=${tls}`
  return `s3://${credentials?.accessKeyId}:${secret}@${host}/${bucket}/${prefix}?${options}`
}

/** Starts an S3 server with an empty bucket: s3rver over memory, and the operations that it lacks. */
export async function startS3(): Promise<TestS3> {
  const app = new S3rver({ silent: true, directory: tmpdir(), vhostBuckets: false })
  const store = createMemoryStore(bucket)
  app.store = app.context.store = store
  app.middleware.unshift((context, next) => addLacking(store, context, next))
  const answer = app.callback()
  const sent = new Map<string, number>()
  const server = createServer((request, response) => {
    const before = request.socket.bytesWritten
    const { url = '' } = request
    response.once('close', () => sent.set(url, (sent.get(url) ?? 0) + request.socket.bytesWritten - before))
    answer(request, response)
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    store,
    port,
    sentOf: (words) => [...sent].reduce((sum, [url, bytes]) => sum + (url.includes(words) ? bytes : 0), 0),
    requestsOf: (words) => [...sent.keys()].filter((url) => url.includes(words)),
    settings: (changes) => settingsOf(port, changes),
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function checkCredential(context: Context): void {
  const { headers, query } = context
  const credential = headers.authorization?.split('Credential=')[1] ?? query['X-Amz-Credential']
  if (!credential?.startsWith(`${credentials.accessKeyId}/`))
    throw new S3Error('InvalidAccessKeyId', 'There is no such key.')
  checkSignature(context, credentials.secretAccessKey)
}

async function addLacking(store: MemoryStore, context: Context, next: () => Promise<void>): Promise<void> {
  const { method, query, headers } = context
  const [, , ...words] = context.path.split('/')
  const key = words.join('/')
  const send = (xml: string) => {
    context.status = 200
    context.type = 'application/xml'
    context.body = `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`
  }
  checkCredential(context)
  const isBucket = context.path.split('/')[1] === bucket
  if (isBucket && method === 'GET' && key === '' && query['list-type'] === '2')
    return send(listXml(store, query))
  if (isBucket && method === 'GET' && key === '' && 'uploads' in query) return send(uploadsXml(store, query))
  const { uploadId } = query
  if (method === 'DELETE' && uploadId) {
    if (!store.uploads.delete(uploadId))
      throw new S3Error('NoSuchUpload', 'The specified upload does not exist.')
    context.status = 204
    return
  }
  if (method === 'GET' && uploadId) return send(partsXml(store, uploadId))
  const source = headers['x-amz-copy-source']
  if (method === 'PUT' && uploadId && source)
    return store.rules
      .beforeCopy()
      .then(() => send(copyPart(store, uploadId, Number(query.partNumber), source, headers)))
  await next()
}

const tag = (name: string, content: unknown) => `<${name}>${content}</${name}>`

function listXml(store: MemoryStore, query: Record<string, string | undefined>): string {
  const { keys, prefixes, next } = listPage(store, query)
  const contents = keys.map((key) => {
    const { bytes, etag, at } = store.objects.get(key) ?? { bytes: '', etag: '', at: new Date() }
    return tag(
      'Contents',
      tag('Key', key) +
        tag('Size', bytes.length) +
        tag('ETag', `"${etag}"`) +
        tag('LastModified', at.toISOString()),
    )
  })
  return tag(
    'ListBucketResult',
    [
      ...contents,
      ...prefixes.map((prefix) => tag('CommonPrefixes', tag('Prefix', prefix))),
      tag('IsTruncated', next !== undefined),
      next === undefined ? '' : tag('NextContinuationToken', next),
    ].join(''),
  )
}

function uploadsXml(store: MemoryStore, { prefix = '' }: Record<string, string | undefined>): string {
  const uploads = [...store.uploads]
    .filter(([, { key }]) => key.startsWith(prefix))
    .map(([id, { key, at }]) =>
      tag('Upload', tag('Key', key) + tag('UploadId', id) + tag('Initiated', at.toISOString())),
    )
  return tag('ListMultipartUploadsResult', `${uploads.join('')}${tag('IsTruncated', false)}`)
}

function partsXml(store: MemoryStore, uploadId: string): string {
  const parts = [...store.uploadOf(uploadId).parts].sort(([one], [other]) => one - other)
  const rows = parts.map(([number, bytes]) => {
    const etag = createHash('md5').update(bytes).digest('hex')
    return tag('Part', tag('PartNumber', number) + tag('ETag', `"${etag}"`) + tag('Size', bytes.length))
  })
  return tag('ListPartsResult', `${rows.join('')}${tag('IsTruncated', false)}`)
}

function copyPart(
  store: MemoryStore,
  uploadId: string,
  number: number,
  source: string,
  headers: Context['headers'],
): string {
  if (!store.rules.copiesParts) throw new S3Error('AccessDenied', 'Access Denied')
  const [, ...from] = source.replace(/^\//, '').split('/')
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers['x-amz-copy-source-range'] ?? '') ?? []
  const bytes = store.objects.get(from.join('/'))?.bytes.subarray(Number(start), Number(end) + 1)
  if (!bytes) throw new S3Error('NoSuchKey', 'The specified key does not exist.')
  store.uploadOf(uploadId).parts.set(number, bytes)
  const etag = createHash('md5').update(bytes).digest('hex')
  return tag('CopyPartResult', tag('ETag', `"${etag}"`) + tag('LastModified', new Date().toISOString()))
}
