import { StorageError, type StorageTrouble } from '../storage-error.js'

/** What an error of the S3 client tells: its name, and the status of the answer if there was one. */
export interface S3Failure {
  readonly name: string
  readonly status: number | undefined
}

export function failureOf(error: unknown): S3Failure {
  const cause = error instanceof StorageError ? error.cause : error
  const { name, code, Code, $metadata } = (cause ?? {}) as {
    name?: string
    code?: string
    Code?: string
    $metadata?: { httpStatusCode?: number }
  }
  return { name: Code ?? code ?? name ?? 'unknown', status: $metadata?.httpStatusCode }
}

const isCertificateTrouble = (name: string) => /CERT|^ERR_TLS|UNABLE_TO_|SELF_SIGNED/.test(name)
const isWithoutCredentials = (name: string) => name === 'CredentialsProviderError'
const isSkew = (name: string) =>
  ['RequestTimeTooSkewed', 'RequestExpired', 'RequestInTheFuture'].includes(name)

/**
 * Whether the same request may succeed a moment later: without an answer, or with one that was cut or garbled, or if the
 * store says that it is busy or broken.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof StorageError) return false
  const { name, status } = failureOf(error)
  if (name === 'AbortError' || isCertificateTrouble(name) || isWithoutCredentials(name)) return false
  if (status === undefined || status < 300) return true
  return (
    (status >= 500 && status !== 501 && status !== 507) ||
    status === 429 ||
    status === 408 ||
    passing.has(name)
  )
}

/** Whether the store said nothing for too long. */
export const isTimeout = (error: unknown): boolean =>
  ['TimeoutError', 'ETIMEDOUT'].includes(failureOf(error).name)

const passing = new Set([
  'RequestTimeout',
  'SlowDown',
  'RequestTimeTooSkewed',
  'OperationAborted',
  'Throttling',
])

const missing = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload'])
const refusing = new Set(['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken'])
const full = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage', 'NoSpaceLeft'])
const otherRegion = new Set([
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
])

/** Explains a failed request to the operator. `label` is the bucket and its host. */
export function explainS3(error: unknown, label: string): StorageError {
  if (error instanceof StorageError) return error
  const [reason, sentence] = explanation(failureOf(error), label)
  return new StorageError(reason, sentence, { cause: error })
}

/** The first that applies counts. */
const explanations: readonly [
  applies: (name: string, status: number) => boolean,
  reason: StorageTrouble,
  sentence: (label: string, what: string) => string,
][] = [
  [
    (name) => name === 'NoSuchBucket',
    'away',
    (label) => `There is no ${label}. Create the bucket, or correct STORAGE_URL.`,
  ],
  [
    (name, status) => missing.has(name) || status === 404,
    'missing',
    () => 'The file is not in the media storage.',
  ],
  [
    isSkew,
    'away',
    (label) =>
      `The clocks of this machine and of the store of ${label} differ too much. Set this machine's clock, for example with an NTP service.`,
  ],
  [
    isWithoutCredentials,
    'away',
    (label) =>
      `There are no credentials for ${label}. Write key and secret into STORAGE_URL, or give the machine a role.`,
  ],
  [
    (name, status) => refusing.has(name) || status === 401,
    'away',
    (label, what) =>
      `The store refuses the credentials for ${label} (${what}). Correct key and secret in STORAGE_URL.`,
  ],
  [
    (_, status) => status === 403,
    'away',
    (label, what) =>
      `The store does not allow this with the credentials for ${label} (${what}). They need the rights to read, write, list and delete.`,
  ],
  [
    (name, status) => otherRegion.has(name) || status === 301,
    'away',
    (label, what) => `The ${label} is in another region (${what}). Correct host and region in STORAGE_URL.`,
  ],
  [
    (name, status) => full.has(name) || status === 507,
    'full',
    (label, what) => `The ${label} has no room left (${what}). Raise its quota, or free some space.`,
  ],
  [(name) => name === 'EntityTooLarge', 'too_large', () => 'The file is larger than the S3 store allows.'],
  [
    isCertificateTrouble,
    'away',
    (label, what) =>
      `The certificate of the store of ${label} is not trusted (${what}). Give Node the authority with NODE_EXTRA_CA_CERTS, or correct the host.`,
  ],
  [
    (_, status) => status < 300,
    'away',
    (label, what) =>
      `The store of ${label} cannot be reached or breaks off (${what}). Is it running, and is the host right?`,
  ],
  [
    (_, status) => status >= 500 || status === 429,
    'away',
    (label, what) => `The store of ${label} is overloaded or broken: it failed several times (${what}).`,
  ],
]

function explanation({ name, status }: S3Failure, label: string): [StorageTrouble, string] {
  const what = status === undefined ? name : `${status} ${name}`
  const [, reason, sentence] = explanations.find(([applies]) => applies(name, status ?? 0)) ?? []
  return reason && sentence
    ? [reason, sentence(label, what)]
    : ['broken', `The store of ${label} refused a request (${what}).`]
}
