import type { Principal } from './principals.js'

/** An authenticated caller as events show it: its kind, and the id of the person, the key, the viewer or the app. */
export function actorOf(principal: Principal): string {
  const { kind, publisherId, keyId, consumerId, uploadTokenId, appId } = principal
  const id = publisherId ?? keyId ?? consumerId ?? uploadTokenId ?? appId
  return id ? `${kind} ${id}` : kind
}
