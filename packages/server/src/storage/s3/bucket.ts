import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type $Command,
  S3Client,
  type S3ClientResolvedConfig,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-s3'
import type { S3Settings } from '../../config/storage-url.js'
import type { DirectOptions } from '../storage.js'
import { presign } from './presign.js'
import { explainS3, isPassing, isTimeout } from './s3-error.js'

/** How long to wait for a store, and how often to try again. Tests shorten it. */
export interface Patience {
  /** The first pause before a request is repeated; each further one is twice as long. */
  readonly pauseMs: number
  /** How long a body may send nothing. */
  readonly idleMs: number
}

export const usualPatience: Patience = { pauseMs: 100, idleMs: 30_000 }

export const mostAttempts = 6
/** A request that got no answer is not repeated later than this: somebody waits for it. */
const repeatedWithinMs = 15_000
const longestPauseMs = 5000
const connectMs = 5000
/** From the beginning of a request, which may have to wait for a socket, to the beginning of its answer. */
const answerMs = 30_000
/** The same for work that takes a store long: it says nothing while it copies a film. */
export const longAnswerMs = 300_000
const silentSocketMs = 60_000
/** Bytes are sent at least this fast. */
const slowestBytesPerMs = 64
const mostSockets = 64

type Request<T> = (
  client: S3Client,
  options: { abortSignal?: AbortSignal; requestTimeout: number },
) => Promise<T>

type S3Command<I extends ServiceInputTypes, O extends ServiceOutputTypes> = $Command<
  I,
  O,
  S3ClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes
>

interface RequestLimits {
  readonly signal?: AbortSignal | undefined
  /** How long the answer may take. */
  readonly answerMs?: number
}

/** How long the answer may take to a request that sends so many bytes. */
export const answerMsAfter = (bytes: number) => answerMs + Math.ceil(bytes / slowestBytesPerMs)

/** A bucket, and how requests to it are made. */
export interface S3Bucket {
  readonly name: string
  readonly patience: Patience
  /** Bucket and host in words, for the operator. */
  readonly label: string
  /** The beginning of all our keys: empty, or ends in a slash. */
  readonly prefix: string
  /** Makes a request, and repeats it while it fails in a way that may pass. Failures become StorageErrors. */
  run<T>(request: Request<T>, limits?: RequestLimits): Promise<T>
  /** The same for a request that is one command, made anew for each attempt. */
  send<I extends ServiceInputTypes, O extends ServiceOutputTypes>(
    command: () => S3Command<I, O>,
    limits?: RequestLimits,
  ): Promise<O>
  /** An address at which anybody can read an object for a time. */
  presign(key: string, options: DirectOptions): Promise<string>
}

export function openBucket(settings: S3Settings, patience: Patience = usualPatience): S3Bucket {
  const { bucket, host, prefix } = settings
  const label = `bucket ${bucket} at ${host}`
  const client = createClient(settings)
  const run: S3Bucket['run'] = (request, { signal, answerMs: requestTimeout = answerMs } = {}) =>
    repeat(
      () => request(client, { requestTimeout, ...(signal ? { abortSignal: signal } : {}) }),
      label,
      patience,
      signal,
    )
  return {
    name: bucket,
    patience,
    label,
    prefix: prefix ? `${prefix}/` : '',
    presign: (key, options) => presign(client, settings, key, options),
    run,
    send: (command, limits) => run((client, options) => client.send(command(), options), limits),
  }
}

async function repeat<T>(
  request: () => Promise<T>,
  label: string,
  patience: Patience,
  signal?: AbortSignal,
): Promise<T> {
  const begun = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request()
    } catch (error) {
      signal?.throwIfAborted()
      const isHanging = isTimeout(error) && performance.now() - begun > repeatedWithinMs
      if (attempt === mostAttempts || isHanging || !isPassing(error)) throw explainS3(error, label)
      await backOff(patience, attempt, signal)
    }
  }
}

/** Waits before another attempt, by chance shorter or longer, so that clients do not return all at once. */
export async function backOff({ pauseMs }: Patience, attempt: number, signal?: AbortSignal): Promise<void> {
  const longest = Math.min(pauseMs * 2 ** (attempt - 1), longestPauseMs)
  await pause(longest * (0.5 + Math.random() / 2), undefined, signal ? { signal } : {}).catch(
    (error: unknown) => {
      signal?.throwIfAborted()
      throw error
    },
  )
}

function createClient({ host, tls, region, isPathStyle, credentials }: S3Settings): S3Client {
  const sockets = { keepAlive: true, maxSockets: mostSockets }
  const client = new S3Client({
    endpoint: `${tls ? 'https' : 'http'}://${host}`,
    region,
    forcePathStyle: isPathStyle,
    ...(credentials ? { credentials } : {}),
    // The client's own checksums are unknown to many stores. Content-MD5 is known to all.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // `run` repeats requests.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: longAnswerMs,
      throwOnRequestTimeout: true,
      socketTimeout: silentSocketMs,
      httpAgent: sockets,
      httpsAgent: sockets,
    },
  })
  sendMd5OfDeletions(client)
  return client
}

/** Deleting many objects needs a checksum of the request; stores other than AWS want Content-MD5. */
function sendMd5OfDeletions(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        const request = args.request as { headers: Record<string, string>; body?: string | Uint8Array }
        if (commandName === 'DeleteObjectsCommand' && request.body !== undefined)
          request.headers['content-md5'] = md5Of(request.body)
        return next(args)
      },
    { step: 'build', name: 'md5OfDeletions', priority: 'low' },
  )
}

export const md5Of = (bytes: string | Uint8Array) => createHash('md5').update(bytes).digest('base64')
