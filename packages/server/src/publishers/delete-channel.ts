import { removeChannel } from '../auth/channels.js'
import { invalid, notFound } from '../errors.js'
import { textIn } from './fields.js'
import type { EndpointResult, InChannel } from './request.js'

/** Requires the channel's name to be typed, so that nothing irreversible happens by mistake. */
export function checkName({ siteId, session, body }: InChannel): void {
  const typed = textIn(body, 'name', 500).trim()
  const channel = session.channels.find(({ _id }) => _id === siteId)
  if (typed !== channel?.name.trim())
    throw invalid('This is not the name of the channel.', { name: ['is not the name of the channel'] })
}

/** Deletes a channel with everything in it, for an owner who typed its name. */
export async function deleteChannel(visit: InChannel): Promise<EndpointResult<undefined>> {
  const { parts, siteId, session } = visit
  checkName(visit)
  if (session.channels.filter(({ role }) => role === 'owner').length < 2)
    throw invalid('This is the only channel that you own. Make another one first.')
  const isRemoved = await parts.database.transaction(async (tx) => {
    await tx`set local statement_timeout = 0`
    const people = await tx<{ _id: string }[]>`
      select publisher_id as _id from memberships where site_id = ${siteId}
    `
    const removed = await removeChannel(tx, siteId)
    // An account without any channel is deleted.
    await tx`
      delete from publishers where _id = any(${people.map(({ _id }) => _id)})
        and not exists (select from memberships where memberships.publisher_id = publishers._id)
    `
    return removed
  })
  if (!isRemoved) throw notFound('channel')
  parts.principals.forget()
  return {}
}
