import type { Principal } from './principals.js'

const withId = (kind: string, id: string | undefined): string => (id ? `${kind} ${id}` : kind)

type Author = Pick<Principal, 'kind' | 'publisherId'> & Partial<Pick<Principal, 'keyId'>>

/** A caller as versions of videos and the request log show it: its kind, and the id of the person or the key. */
export const authorOf = ({ kind, publisherId, keyId }: Author): string => withId(kind, publisherId ?? keyId)

/** A caller as events show it: also with the id of the viewer, the upload token or the app. */
export const actorOf = (principal: Principal): string => {
  const { kind, publisherId, keyId, consumerId, uploadTokenId, appId } = principal
  return withId(kind, publisherId ?? keyId ?? consumerId ?? uploadTokenId ?? appId)
}
