import type { ChannelEvent } from '@zoetrope/contract'

/** Why a request is not a delivery of Zoetrope: answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export interface WebhookRequest {
  /** The body as it came, before any parsing. */
  readonly body: string | Uint8Array
  /** The headers of the request: an object, as Node has it, or a Headers object. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The secret of the webhook, whsec_…; several while it is being rotated. */
  readonly secret: string | readonly string[]
  /** How many seconds the clocks may differ. */
  readonly toleranceSeconds?: number
}

/**
 * Checks that a request is a delivery signed with the secret of your webhook, and returns its event. Throws
 * WebhookVerificationError otherwise.
 */
export async function verifyWebhook({
  body,
  headers,
  secret,
  toleranceSeconds = 300,
}: WebhookRequest): Promise<ChannelEvent> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature').split(' ')
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds)
    throw new WebhookVerificationError('The delivery is too old, or the clock of this machine is wrong.')
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const content = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  for (const each of [secret].flat())
    for (const signature of signatures)
      if (signature.startsWith('v1,') && (await isSigned(each, content, signature.slice(3))))
        return JSON.parse(new TextDecoder().decode(bytes)) as ChannelEvent
  throw new WebhookVerificationError(
    'The signature does not match: the secret is another, or the body was changed.',
  )
}

function headerOf(headers: WebhookRequest['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value === 'string' && value !== '') return value
  throw new WebhookVerificationError(`The header ${name} is missing.`)
}

/** WebCrypto compares signatures in constant time. */
async function isSigned(
  secret: string,
  content: Uint8Array<ArrayBuffer>,
  signature: string,
): Promise<boolean> {
  const secretBytes = bytesOf(secret.replace(/^whsec_/, ''))
  const signed = bytesOf(signature)
  if (!secretBytes || !signed) return false
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secretBytes, algorithm, false, ['verify'])
  return crypto.subtle.verify('HMAC', key, signed, content)
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}
