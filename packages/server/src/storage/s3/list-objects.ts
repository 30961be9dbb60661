import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3'
import type { ListedObject } from '../storage.js'
import { StorageError } from '../storage-error.js'
import { longAnswerMs, type S3Bucket } from './bucket.js'
import { failureOf } from './s3-error.js'

const pageSize = 1000

async function* pagesOf(
  bucket: S3Bucket,
  prefix: string,
  { after, delimiter, pageSize: most = pageSize }: { after?: string; delimiter?: string; pageSize?: number },
): AsyncGenerator<ListObjectsV2CommandOutput> {
  for (let token: string | undefined; ; ) {
    const page: ListObjectsV2CommandOutput = await bucket.send(
      () =>
        new ListObjectsV2Command({
          Bucket: bucket.name,
          Prefix: prefix,
          Delimiter: delimiter,
          MaxKeys: most,
          ...(token ? { ContinuationToken: token } : { StartAfter: after || undefined }),
        }),
    )
    yield page
    token = page.NextContinuationToken
    if (!page.IsTruncated || !token) return
  }
}

/** Objects whose keys in the bucket begin with the prefix, in byte order, page by page. */
export async function* listObjects(
  bucket: S3Bucket,
  prefix: string,
  { after, limit = Number.POSITIVE_INFINITY }: { after?: string; limit?: number } = {},
): AsyncGenerator<ListedObject> {
  if (limit < 1) return
  let listed = 0
  for await (const { Contents = [] } of pagesOf(bucket, prefix, {
    after,
    pageSize: Math.min(limit, pageSize),
  }))
    for (const { Key = '', Size = 0, LastModified = new Date() } of Contents) {
      yield { key: Key, size: Size, modifiedAt: LastModified }
      listed += 1
      if (listed >= limit) return
    }
}

/** The distinct words behind the prefix, up to the next slash. */
export async function* listWords(bucket: S3Bucket, prefix: string): AsyncGenerator<string> {
  for await (const { Contents = [], CommonPrefixes = [] } of pagesOf(bucket, prefix, { delimiter: '/' })) {
    for (const { Prefix = '' } of CommonPrefixes) yield Prefix.slice(prefix.length, -1)
    for (const { Key = '' } of Contents) yield Key.slice(prefix.length)
  }
}

export async function removeObject(bucket: S3Bucket, key: string): Promise<void> {
  await bucket.send(() => new DeleteObjectCommand({ Bucket: bucket.name, Key: key }))
}

/** Deletes at most a thousand objects. */
export async function removeObjects(bucket: S3Bucket, keys: readonly string[]): Promise<void> {
  const [only, ...others] = keys
  if (only === undefined) return
  if (others.length === 0) return removeObject(bucket, only)
  try {
    const { Errors = [] } = await bucket.send(
      () =>
        new DeleteObjectsCommand({
          Bucket: bucket.name,
          Delete: { Quiet: true, Objects: keys.map((Key) => ({ Key })) },
        }),
      { answerMs: longAnswerMs },
    )
    // Ceph fails for an object that somebody else deletes or replaces at the same moment. By itself it is tried again.
    for (const { Code, Key } of Errors) {
      if (Code === 'NoSuchKey') continue
      if (!Key)
        throw new StorageError('broken', `The store of ${bucket.label} did not delete a file (${Code}).`)
      await removeObject(bucket, Key)
    }
  } catch (error) {
    if (!lacksOperation(error)) throw error
    for (const key of keys) await removeObject(bucket, key)
  }
}

const lacksOperation = (error: unknown) => [400, 405, 501].includes(failureOf(error).status ?? 0)

/** Multipart uploads that were begun under a prefix. A store that cannot list them has none. */
export async function* listMultiparts(
  bucket: S3Bucket,
  prefix: string,
): AsyncGenerator<{ key: string; id: string; begunAt: Date }> {
  let after: { KeyMarker?: string; UploadIdMarker?: string } = {}
  for (;;) {
    const page = await bucket
      .send(() => new ListMultipartUploadsCommand({ Bucket: bucket.name, Prefix: prefix, ...after }))
      .catch((error: unknown) => {
        if (lacksOperation(error)) return undefined
        throw error
      })
    for (const { Key, UploadId, Initiated } of page?.Uploads ?? [])
      if (Key && UploadId && Initiated) yield { key: Key, id: UploadId, begunAt: Initiated }
    if (!page?.IsTruncated || !page.NextKeyMarker) return
    after = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
  }
}
