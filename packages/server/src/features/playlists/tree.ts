import { notFound } from '../../errors.js'
import type { Answer } from '../../resources/feature.js'
import type { CallOf } from '../call-of.js'

interface TreeRow {
  readonly _id: string
  readonly title: string
  readonly priority: number
  readonly parent_id: string | null
}

interface Branch {
  readonly id: string
  readonly title: string
  readonly priority: number
  readonly playlists?: readonly Branch[]
}

const mostPlaylists = 20_000

/** Returns the tree of active playlists, without those inside a hidden one. */
export async function relationships({
  parts,
  scope,
  body,
}: CallOf<'playlists', 'relationships'>): Promise<Answer> {
  const rows = await parts.database.db<TreeRow[]>`
    select _id, title, priority, parent_id from playlists
    where site_id = ${scope.site_id} and active order by priority, _id limit ${mostPlaylists}
  `
  const children = new Map<string | null, TreeRow[]>()
  for (const row of rows) {
    const siblings = children.get(row.parent_id)
    if (siblings) siblings.push(row)
    else children.set(row.parent_id, [row])
  }
  const below = (parent: string | null): Branch[] =>
    (children.get(parent) ?? []).map(({ _id, title, priority }) => {
      const playlists = below(_id)
      return { id: _id, title, priority, ...(playlists.length > 0 ? { playlists } : {}) }
    })
  const parent = body.parent_id ?? null
  if (parent !== null && !rows.some(({ _id }) => _id === parent)) throw notFound('playlist')
  return { json: JSON.stringify({ playlists: below(parent) }) }
}
