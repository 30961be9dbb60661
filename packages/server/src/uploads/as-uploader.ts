import { actorOf } from '../auth/actor.js'
import type { Principal } from '../auth/principals.js'
import { actingAs } from '../db/acting-as.js'
import type { TusUpload } from '../films/uploads.js'
import { createEventHints } from '../lists/event-hints.js'
import type { Parts } from '../resources/feature.js'

/** Who uploads, and with which request, as events show it. */
interface UploadRequest {
  readonly siteId: string
  /** The caller who began the upload. Later requests of a resumable upload have no credential. */
  readonly actor: string | null
  readonly requestId: string
}

/** Makes changes on behalf of an uploader, and lets readers of events look for them. */
export async function asUploader<T>(
  parts: Parts,
  { siteId, actor, requestId }: UploadRequest,
  work: (parts: Parts) => Promise<T>,
): Promise<T> {
  try {
    const acting = actingAs(parts.database, { name: actor ?? 'system', requestId })
    return await work({ ...parts, database: acting })
  } finally {
    // A change can also fail after its commit.
    parts.cache(createEventHints).send(parts.database.db, siteId)
  }
}

/** A request of a resumable upload. */
export const requestOf = ({ site_id, created_by }: TusUpload, requestId: string): UploadRequest => ({
  siteId: site_id,
  actor: created_by,
  requestId,
})

/** A request with a credential. */
export const callOf = (principal: Principal, requestId: string): UploadRequest => ({
  siteId: principal.siteId,
  actor: actorOf(principal),
  requestId,
})
