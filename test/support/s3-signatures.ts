import { createHash, createHmac } from 'node:crypto'
import { S3Error } from './s3-memory.js'

interface SignedRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string | undefined>>
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** What a signature says about itself, in the query or in the header. */
interface Claim {
  readonly scope: string
  readonly date: string
  readonly signedHeaders: string
  readonly body: string
  readonly signature: string
}

/**
 * Refuses a request whose signature was not made for it, or has expired, as the documentation of AWS (Signature
 * Version 4) says. s3rver accepts every signature.
 */
export function checkSignature(request: SignedRequest, secret: string): void {
  const { query, headers } = request
  const isPresigned = 'X-Amz-Credential' in query
  const claim = isPresigned ? claimInQuery(query) : claimInHeaders(headers)
  if (claim.signature !== signatureOf(request, claim, secret))
    throw new S3Error('SignatureDoesNotMatch', 'The signature is not one for this request.')
  const begun = Date.parse(claim.date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const seconds = isPresigned ? Number(query['X-Amz-Expires']) : longestSeconds
  if (!(begun + seconds * 1000 > Date.now())) throw new S3Error('AccessDenied', 'Request has expired')
}

/** How old a signature in a header may be. */
const longestSeconds = 900

const claimInQuery = (query: SignedRequest['query']): Claim => ({
  scope: scopeOf(query['X-Amz-Credential']),
  date: query['X-Amz-Date'] ?? '',
  signedHeaders: query['X-Amz-SignedHeaders'] ?? '',
  body: 'UNSIGNED-PAYLOAD',
  signature: query['X-Amz-Signature'] ?? '',
})

function claimInHeaders(headers: SignedRequest['headers']): Claim {
  const words = new Map(
    headers.authorization
      ?.replace(/^AWS4-HMAC-SHA256 /, '')
      .split(/, */)
      .map((word) => word.split('=', 2) as [string, string]),
  )
  return {
    scope: scopeOf(words.get('Credential')),
    date: headers['x-amz-date'] ?? '',
    signedHeaders: words.get('SignedHeaders') ?? '',
    body: headers['x-amz-content-sha256'] ?? '',
    signature: words.get('Signature') ?? '',
  }
}

const scopeOf = (credential = '') => credential.split('/').slice(1).join('/')

function signatureOf({ method, path, query, headers }: SignedRequest, claim: Claim, secret: string): string {
  const { scope, date, signedHeaders, body } = claim
  const parameters = Object.entries(query)
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value ?? '')}`)
    .sort()
    .join('&')
  const lines = signedHeaders.split(';').map((name) => `${name}:${headers[name]?.trim().replace(/ +/g, ' ')}`)
  const canonical = [method, path, parameters, ...lines, '', signedHeaders, body].join('\n')
  const text = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join(
    '\n',
  )
  return sign(scope.split('/').reduce<string | Buffer>(sign, `AWS4${secret}`), text).toString('hex')
}

/** An address at which a request may be made once, without a library: for what the product itself never requests. */
export function presignedUrl(
  method: string,
  url: URL,
  { accessKeyId, secretAccessKey }: { readonly accessKeyId: string; readonly secretAccessKey: string },
): string {
  const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const query = {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${accessKeyId}/${date.slice(0, 8)}/us-east-1/s3/aws4_request`,
    'X-Amz-Date': date,
    'X-Amz-Expires': '60',
    'X-Amz-SignedHeaders': 'host',
  }
  const request = { method, path: url.pathname, query, headers: { host: url.host } }
  const signature = signatureOf(request, claimInQuery(query), secretAccessKey)
  return `${url}?${new URLSearchParams({ ...query, 'X-Amz-Signature': signature })}`
}

const sign = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
