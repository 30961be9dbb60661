import { notFound } from '../../errors.js'
import { authorOf, signAs } from '../../films/author.js'
import type { Call } from '../../resources/feature.js'
import { remove } from '../../resources/store.js'

/** Like any removal, in the name of whoever removes it. */
export async function removeVideo({ parts, resource, principal, scope, id }: Call) {
  const isRemoved = await parts.database.transaction(async (tx) => {
    await signAs(tx, authorOf(principal))
    return remove(tx, resource, scope, id)
  })
  if (!isRemoved) throw notFound(resource.name)
  parts.freshness.touch(scope.site_id, 'videos')
  return undefined
}
