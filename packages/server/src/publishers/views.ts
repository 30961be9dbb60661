import type { SavedView } from '@zoetrope/contract'
import { invalid, invalidParameter, notFound } from '../errors.js'
import { isStorable } from '../lib/clean.js'
import { isObject } from '../lib/is-object.js'
import { newId } from '../lib/object-id.js'
import { nameIn, textIn } from './fields.js'
import type { EndpointResult, InChannel, Unwritten } from './request.js'

const most = 50
const longestName = 100
const largestState = 4000
const deepestState = 5
const pages = ['videos']

const shown = ['_id', 'page', 'name', 'state', 'created_at', 'updated_at'] as const

function pageIn(body: InChannel['body']): string {
  const page = textIn(body, 'page')
  if (pages.includes(page)) return page
  throw invalidParameter('page', `is one of ${pages.join(', ')}`)
}

/** The state in the page's address: filters, order, layout. Only the dashboard interprets it. */
function stateIn({ state }: InChannel['body']): string {
  const json = JSON.stringify(state ?? null)
  if (isObject(state) && json.length <= largestState && isStorable(state, deepestState)) return json
  throw invalidParameter('state', `is an object of at most ${largestState} characters`)
}

const mine = ({ session, siteId }: InChannel) => ({ publisher_id: session.user._id, site_id: siteId })

/** The publisher's views in this channel. Colleagues have their own. */
export async function listViews(visit: InChannel): Promise<EndpointResult<readonly SavedView[]>> {
  const { db } = visit.parts.database
  const { publisher_id, site_id } = mine(visit)
  const body = await db<Unwritten<SavedView>[]>`
    select ${db(shown)} from saved_views where publisher_id = ${publisher_id} and site_id = ${site_id}
    order by name, _id
  `
  return { body }
}

const taken = () => invalid('You already have a view with this name.', { name: ['is taken'] })

export async function makeView(visit: InChannel): Promise<EndpointResult<SavedView>> {
  const { parts, body } = visit
  const { publisher_id, site_id } = mine(visit)
  const [page, name, state] = [pageIn(body), nameIn(body, 'name', longestName), stateIn(body)]
  const made = await parts.database.transaction(async (tx) => {
    // Two parallel requests must not both add the last view.
    await tx`select from memberships where publisher_id = ${publisher_id} and site_id = ${site_id} for update`
    const [{ count = 0 } = {}] = await tx<{ count: number }[]>`
      select count(*)::int as count from saved_views where publisher_id = ${publisher_id} and site_id = ${site_id}
    `
    if (count >= most) throw invalid(`There are at most ${most} views. Delete one first.`)
    const [row] = await tx<Unwritten<SavedView>[]>`
      insert into saved_views (_id, publisher_id, site_id, page, name, state)
      values (${newId()}, ${publisher_id}, ${site_id}, ${page}, ${name}, ${state}::text::jsonb)
      on conflict do nothing returning ${tx(shown)}
    `
    return row
  })
  if (!made) throw taken()
  return { status: 201, body: made }
}

/** Renames a view, or saves the current state in it. */
export async function changeView(visit: InChannel): Promise<EndpointResult<SavedView>> {
  const { parts, body, params } = visit
  const { db } = parts.database
  const { publisher_id, site_id } = mine(visit)
  const name = body.name === undefined ? null : nameIn(body, 'name', longestName)
  const state = body.state === undefined ? null : stateIn(body)
  const [other] = await db`
    select from saved_views
    where publisher_id = ${publisher_id} and site_id = ${site_id} and name = ${name} and _id <> ${params.id ?? ''}
  `
  if (other) throw taken()
  const [changed] = await db<Unwritten<SavedView>[]>`
    update saved_views set name = coalesce(${name}, name), state = coalesce(${state}::text::jsonb, state),
      updated_at = now()
    where _id = ${params.id ?? ''} and publisher_id = ${publisher_id} and site_id = ${site_id}
    returning ${db(shown)}
  `
  if (!changed) throw notFound('view')
  return { body: changed }
}

export async function deleteView(visit: InChannel): Promise<EndpointResult<undefined>> {
  const { publisher_id, site_id } = mine(visit)
  const { count } = await visit.parts.database.db`
    delete from saved_views
    where _id = ${visit.params.id ?? ''} and publisher_id = ${publisher_id} and site_id = ${site_id}
  `
  if (count === 0) throw notFound('view')
  return {}
}
