import type { S3Client } from '@aws-sdk/client-s3'
import { bucketOrigin, type S3Settings } from '../../config/storage-url.js'
import type { DirectOptions } from '../storage.js'

/** What the signer of the client can do besides; its types leave it out. The version of the client is fixed. */
interface Presigner {
  presign(
    request: object,
    options: { readonly expiresIn: number; readonly signingDate: Date },
  ): Promise<{ readonly query?: Readonly<Record<string, unknown>> }>
}

/** An address at which anybody can read an object for a time, signed by the credentials of the bucket. */
export async function presign(
  client: S3Client,
  settings: S3Settings,
  key: string,
  { seconds, type, disposition }: DirectOptions,
): Promise<string> {
  const { region, isPathStyle, bucket } = settings
  const { protocol, hostname, port, host, origin } = new URL(bucketOrigin(settings))
  const scheme = { name: 'sigv4', signingName: 's3', signingRegion: region, properties: {} }
  const signer = (await client.config.signer(scheme)) as Awaited<ReturnType<S3Client['config']['signer']>> &
    Presigner
  const path = `/${isPathStyle ? `${bucket}/` : ''}${key}`
  const asked = {
    'response-content-type': type,
    ...(disposition ? { 'response-content-disposition': disposition } : {}),
  }
  const request = {
    method: 'GET',
    protocol,
    hostname,
    ...(port ? { port: Number(port) } : {}),
    path,
    query: asked,
    // Stores take this for granted in presigned addresses; the signer does not.
    headers: { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
  }
  // The client has learnt from earlier answers how far the clocks of this machine and the store are apart.
  const signingDate = new Date(Date.now() + client.config.systemClockOffset)
  const { query = {} } = await signer.presign(request, { expiresIn: seconds, signingDate })
  const words = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
  return `${origin}${path}?${words.join('&')}`
}

/** As signatures count it, which encode more than JavaScript does. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
