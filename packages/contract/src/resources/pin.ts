import { flag, id, integer, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

const linkedDeviceId = text({
  about:
    'The id that the device generated: long and random, because anyone who knows it can act as the device.',
  required: true,
  maxLength: 200,
})
const consumerId = id({ about: 'The consumer; an access token always uses its own.' })
const pin = text({
  about: 'The PIN on the screen. Case, spaces and hyphens do not matter.',
  required: true,
  maxLength: 40,
})

export const pinResource = defineResource({
  name: 'pin',
  plural: 'pins',
  about: 'The PIN by which a TV or box is linked to a consumer.',
  access: {},
  // A device that was linked gets a PIN, and with it the sessions of its viewer.
  roles: ['owner'],
  personal: true,
  single: true,
  derived: true,
  operations: [],
  fields: {
    linked_device_id: text({ about: 'The id that the device generated.', computed: true, always: true }),
    pin: text({ about: 'The PIN to show; null if none is valid.', computed: true }),
    pin_expiration: timestamp({ about: 'When the PIN expires.', computed: true }),
    linked: flag({ about: 'Whether the device is linked to a consumer.', computed: true }),
    consumer_id: id({ about: 'That consumer.', computed: true }),
    subscription_count: integer({
      about: 'Subscriptions of that consumer that are valid now.',
      computed: true,
      default: 0,
    }),
    device_id: id({ about: 'Always null: devices are identified by linked_device_id.', computed: true }),
    type: text({ about: 'The kind of device, as it describes itself.', computed: true }),
    deleted_at: timestamp({ about: 'Always null.', computed: true }),
  },
  actions: {
    acquire: {
      method: 'POST',
      success: 201,
      about:
        'Returns the PIN of a device: the same one while it is valid. A linked device gets one to sign in with again.',
      access: { app: true },
      confirmed: true,
      body: {
        linked_device_id: linkedDeviceId,
        type: text({ about: 'The kind of device, for the viewer to recognise it.', maxLength: 100 }),
      },
    },
    status: {
      method: 'GET',
      about:
        'Returns whether the device is linked. A linked device that may acquire a new PIN also gets one here, if it has no valid one.',
      access: { app: true },
      confirmed: true,
      body: { linked_device_id: linkedDeviceId },
    },
    link: {
      method: 'PUT',
      about: 'Links the device that shows this PIN to a consumer.',
      access: { app: true, consumer: true },
      confirmed: true,
      body: { consumer_id: consumerId, pin },
    },
    unlink: {
      method: 'PUT',
      about: 'Unlinks the device and ends its sessions.',
      access: { app: true, consumer: true },
      body: { consumer_id: consumerId, pin },
    },
  },
})
