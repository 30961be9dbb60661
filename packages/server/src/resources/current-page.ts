import { countedList } from '@zoetrope/contract'
import { createBroadFilters } from '../lists/broad-filters.js'
import { createKnownCounts } from '../lists/known-counts.js'
import type { Parts } from './feature.js'
import { type ListRequest, type Page, readFiltered, readPage, readWhole } from './pages.js'

/** Reads a page from the replica if that has every change that this process knows of, else from the database itself. */
export const readCurrentPage = async (parts: Parts, asked: ListRequest): Promise<Page> =>
  (await readReplicaPage(parts, asked)) ?? (await readOwnPage(parts, asked))

/** The counts of lists as the replica has them, which may be behind. */
const replicaCounts = () => createKnownCounts()

async function readReplicaPage(
  { replica, freshness, cache }: Parts,
  asked: ListRequest,
): Promise<Page | undefined> {
  if (!replica || !asked.versioned) return undefined
  const needed = await freshness.version(asked.siteId, asked.resource.plural)
  return replica.read(async ({ db, searching }) => {
    const from = asked.plain ? db : searching
    const page = asked.whole
      ? await readWhole(from, asked, cache(replicaCounts))
      : await readFiltered(from, asked, cache(createBroadFilters))
    return page && page.version >= needed ? page : undefined
  })
}

/** The database itself also tells whether the list has changed. The replica cannot: it may not know yet. */
async function readOwnPage(parts: Parts, asked: ListRequest): Promise<Page> {
  const counted = countedList(asked.resource)
  const reading = counted && parts.freshness.begin(asked.siteId, counted)
  const page = await readPage(parts, asked)
  if (reading) parts.freshness.saw(reading, page.version)
  return page
}
