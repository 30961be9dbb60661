import type { Db } from '../db/database.js'
import { isId } from '../lib/object-id.js'
import { PageError } from './page-error.js'
import type { Brand } from './pages/brand.js'

/** A channel, for its pages. */
export interface LoginChannel {
  readonly site_id: string
  readonly brand: Brand
}

const channelOf = ({ site_id, ...brand }: Brand & { site_id: string }): LoginChannel => ({ site_id, brand })
const columns = (db: Db) => db`site_id, title, logo_url, brand_color, support_url`

export async function findChannel(db: Db, site_id: string): Promise<LoginChannel | undefined> {
  if (!isId(site_id)) return undefined
  const [row] = await db<(Brand & { site_id: string })[]>`
    select ${columns(db)} from channels where _id = ${site_id}
  `
  return row && channelOf(row)
}

/** The channel of a record that was just found in it. */
export async function channelWith(db: Db, site_id: string): Promise<LoginChannel> {
  const channel = await findChannel(db, site_id)
  if (channel) return channel
  throw new PageError(404, 'This channel is gone', 'It was removed a moment ago.')
}

/** The channel, if there is only one. */
export async function onlyChannel(db: Db): Promise<LoginChannel | undefined> {
  const [row, another] = await db<(Brand & { site_id: string })[]>`
    select ${columns(db)} from channels limit 2
  `
  return row && !another ? channelOf(row) : undefined
}
