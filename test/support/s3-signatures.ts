import { createHash, createHmac } from 'node:crypto'
import { S3Error } from './s3-memory.js'

interface PresignedRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string | undefined>>
  readonly headers: Readonly<Record<string, string | undefined>>
}

/**
 * Refuses a request with a signature in its query that was not made for it, or has expired, as the documentation of AWS
 * (Signature Version 4) says. s3rver accepts every signature.
 */
export function checkPresigned({ method, path, query, headers }: PresignedRequest, secret: string): void {
  const [, day = '', region = '', service = ''] = query['X-Amz-Credential']?.split('/') ?? []
  const signed = Object.entries(query)
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value ?? '')}`)
    .sort()
    .join('&')
  const canonical = [method, path, signed, `host:${headers.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const date = query['X-Amz-Date'] ?? ''
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join(
    '\n',
  )
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(sign, `AWS4${secret}`)
  if (query['X-Amz-Signature'] !== sign(key, text).toString('hex'))
    throw new S3Error('SignatureDoesNotMatch', 'The signature is not one for this request.')
  const begun = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(begun + Number(query['X-Amz-Expires']) * 1000 > Date.now()))
    throw new S3Error('AccessDenied', 'Request has expired')
}

const sign = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
