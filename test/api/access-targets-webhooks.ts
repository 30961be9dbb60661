import type { TestChannel } from '../support/api.js'
import type { Make, Target } from './access-targets.js'

const fields = { url: 'https://hooks.example/zoetrope', events: ['video.*'] }

async function newWebhook(channel: TestChannel): Promise<string> {
  const { webhooks } = channel.as('admin')
  return (await webhooks.create(fields))._id
}

/** Creates webhooks and deliveries on which an operation would succeed. */
export const webhookMakers: Readonly<Record<string, Make>> = {
  async webhook({ channel, name }): Promise<Partial<Target>> {
    if (name === 'create') return { fields }
    const id = await newWebhook(channel)
    if (name === 'update') return { id, fields: { description: 'Changed' } }
    return { id, fields: name === 'replay' ? { from: new Date().toISOString() } : {} }
  },
  async webhook_delivery({ channel }) {
    const parentId = await newWebhook(channel)
    await channel.as('admin').webhooks.test(parentId)
    const { response } = await channel.as('admin').webhook_deliveries.list(parentId)
    return { parentId, id: response[0]?._id ?? '' }
  },
}
