import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

const require = createRequire(import.meta.url)
const StoredObject = require('s3rver/lib/models/object') as new (
  bucket: string,
  key: string,
  content: Readable | null,
  metadata: Metadata,
) => S3rverObject
export const S3Error = require('s3rver/lib/models/error') as new (code: string, message: string) => Error

type Metadata = Record<string, unknown>

interface S3rverObject {
  readonly key: string
  readonly content: Readable | Buffer
  readonly metadata: Metadata
  range?: { start: number; end: number }
}

export interface KeptObject {
  readonly bytes: Buffer
  readonly metadata: Metadata
  readonly etag: string
  readonly at: Date
}

interface KeptUpload {
  readonly key: string
  readonly metadata: Metadata
  readonly at: Date
  readonly parts: Map<number, Buffer>
}

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')
const smallestPart = 5 * 1_048_576

/**
 * What s3rver keeps, in memory. Its own store on the disk shows objects that are half written, lists them in another
 * order than S3, and cannot list more than a thousand; this one behaves as S3 does.
 */
export function createMemoryStore(bucketName: string) {
  const objects = new Map<string, KeptObject>()
  const uploads = new Map<string, KeptUpload>()

  function keep(key: string, bytes: Buffer, metadata: Metadata) {
    const etag = md5(bytes)
    objects.set(key, { bytes, metadata, etag, at: new Date() })
    return { size: bytes.length, md5: etag }
  }

  const uploadOf = (id: string) => {
    const upload = uploads.get(id)
    if (!upload) throw new S3Error('NoSuchUpload', 'The specified upload does not exist.')
    return upload
  }

  const factsOf = ({ bytes, metadata, etag, at }: KeptObject): Metadata => ({
    ...metadata,
    etag: JSON.stringify(etag),
    'last-modified': at.toUTCString(),
    'content-length': bytes.length,
  })

  const ownMetadata = (headers: Metadata) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-')))

  /**
   * Ceph completes an upload only if all its parts are named. Without the right to copy, parts are not copied. `beforeCopy` lets a
   * test act between two requests of a process.
   */
  const rules = { wantsAllParts: false, copiesParts: true, beforeCopy: async () => {} }

  return {
    objects,
    uploads,
    rules,
    uploadOf,
    getBucket: async (name: string) => (name === bucketName ? { name, creationDate: new Date() } : null),
    getSubresource: async () => null,
    // Listing is ours; only HEAD of the bucket gets here.
    listObjects: async () => ({ objects: [], commonPrefixes: [], isTruncated: false }),
    existsObject: async (_: string, key: string) => objects.has(key),
    async getObject(bucket: string, key: string, { start, end }: { start?: number; end?: number } = {}) {
      const kept = objects.get(key)
      if (!kept) return null
      const last = Math.min(end ?? Number.POSITIVE_INFINITY, kept.bytes.length - 1)
      const range = { start: start ?? 0, end: last }
      const isRange = start !== undefined || end !== undefined
      const isBeyond = isRange && range.start > last
      const body = isBeyond ? null : Readable.from([kept.bytes.subarray(range.start, last + 1)])
      const object = new StoredObject(bucket, key, body, factsOf(kept))
      if (isRange) object.range = range
      return object
    },
    async putObject({ key, content, metadata }: S3rverObject) {
      return keep(key, Buffer.isBuffer(content) ? content : await buffer(content), metadata)
    },
    async copyObject(_: string, from: string, __: string, to: string) {
      const kept = objects.get(from)
      if (!kept) throw new S3Error('NoSuchKey', 'The specified key does not exist.')
      keep(to, kept.bytes, kept.metadata)
      return factsOf(objects.get(to) as KeptObject)
    },
    deleteObject: async (_: string, key: string) => void objects.delete(key),
    async initiateUpload(_: string, key: string, id: string, headers: Metadata) {
      uploads.set(id, { key, metadata: ownMetadata(headers), at: new Date(), parts: new Map() })
    },
    async putPart(_: string, id: string, number: string, content: Readable) {
      const bytes = await buffer(content)
      uploadOf(id).parts.set(Number(number), bytes)
      return { size: bytes.length, md5: md5(bytes) }
    },
    async putObjectMultipart(_: string, id: string, parts: readonly { number: number; etag: string }[]) {
      const { key, metadata, parts: stored } = uploadOf(id)
      if (rules.wantsAllParts && parts.length !== stored.size)
        throw new S3Error('InvalidPart', 'Not all parts were named.')
      const chunks = parts.map(({ number, etag }, index) => {
        const bytes = stored.get(number)
        const isOrdered = index === 0 || (parts[index - 1]?.number ?? 0) < number
        if (!bytes || md5(bytes) !== etag || !isOrdered)
          throw new S3Error('InvalidPart', 'A part is not as announced.')
        if (index < parts.length - 1 && bytes.length < smallestPart)
          throw new S3Error('EntityTooSmall', 'A part is smaller than allowed.')
        return bytes
      })
      const kept = keep(key, Buffer.concat(chunks), metadata)
      uploads.delete(id)
      return kept
    },
  }
}

export type MemoryStore = ReturnType<typeof createMemoryStore>

/** A page of keys and groups of keys in byte order, as S3 lists them. */
export function listPage(store: MemoryStore, query: Record<string, string | undefined>) {
  const { prefix = '', delimiter, 'continuation-token': token, 'start-after': after = '' } = query
  const begin = token ? Buffer.from(token, 'hex').toString() : after
  const most = Math.min(Number(query['max-keys'] ?? 1000), 1000)
  const nameOf = (key: string) => {
    const cut = delimiter ? key.indexOf(delimiter, prefix.length) : -1
    return cut < 0 ? key : key.slice(0, cut + 1)
  }
  const keys = [...store.objects.keys()].filter((key) => key.startsWith(prefix) && key > begin).sort()
  const names = [...new Set(keys.map(nameOf))].filter((name) => name > begin)
  const page = names.slice(0, most)
  return {
    keys: page.filter((name) => store.objects.has(name)),
    prefixes: page.filter((name) => !store.objects.has(name)),
    next: names.length > most ? Buffer.from(page.at(-1) ?? '').toString('hex') : undefined,
  }
}
