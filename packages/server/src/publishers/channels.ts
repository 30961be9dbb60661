import type { ChannelOfUser } from '@zoetrope/contract'
import { createChannel, limitStorage } from '../auth/channels.js'
import { forbidden, invalid } from '../errors.js'
import { limitOfAnother } from '../films/quota.js'
import { nameIn } from './fields.js'
import type { UserEndpoint } from './request.js'

const most = 100

/** The owner of a channel may create another one and becomes its owner. */
export const makeChannel: UserEndpoint<ChannelOfUser> = async ({ parts, media, body, session }) => {
  const name = nameIn(body, 'name')
  const owned = session.channels.filter(({ role }) => role === 'owner')
  if (owned.length === 0) throw forbidden('Only the owner of a channel may make another one.')
  if (owned.length >= most) throw invalid(`One person can own at most ${most} channels.`)
  const _id = await parts.database.transaction(async (tx) => {
    const { channel } = await createChannel(tx, parts.sealer, name)
    const limit = await limitOfAnother(
      tx,
      media,
      owned.map(({ _id }) => _id),
    )
    if (limit !== undefined) await limitStorage(tx, channel._id, limit)
    await tx`
      insert into memberships ${tx({ publisher_id: session.user._id, site_id: channel._id, role: 'owner' })}
    `
    return channel._id
  })
  return { status: 201, body: { _id, name, role: 'owner', first_page: 0 } }
}
