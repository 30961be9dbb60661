import { flag, id, integer, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

const linkedDeviceId = text({
  about: 'The id the device gave itself: long and random, for whoever knows it can ask in its name.',
  required: true,
  maxLength: 200,
})
const consumerId = id({ about: 'The consumer; an access token stands for its own.' })
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
  personal: true,
  single: true,
  derived: true,
  operations: [],
  fields: {
    linked_device_id: text({ about: 'The id the device gave itself.', computed: true, always: true }),
    pin: text({ about: 'The PIN to show; null when none is alive.', computed: true }),
    pin_expiration: timestamp({ about: 'When the PIN ends.', computed: true }),
    linked: flag({ about: 'Whether the device is linked to a consumer.', computed: true }),
    consumer_id: id({ about: 'That consumer.', computed: true }),
    subscription_count: integer({
      about: 'Subscriptions of that consumer that hold now.',
      computed: true,
      default: 0,
    }),
    device_id: id({ about: 'Always null: devices are told apart by linked_device_id.', computed: true }),
    type: text({ about: 'The kind of device, in its own words.', computed: true }),
    deleted_at: timestamp({ about: 'Always null.', computed: true }),
  },
  actions: {
    acquire: {
      method: 'POST',
      success: 201,
      about:
        'Gives a device its PIN: the same one while it lives. A device that is linked gets one to sign in with again.',
      access: { app: true },
      body: {
        linked_device_id: linkedDeviceId,
        type: text({ about: 'The kind of device, for the viewer to recognise it.', maxLength: 100 }),
      },
    },
    status: {
      method: 'GET',
      about:
        'Whether the device is linked by now. A linked device that may acquire a new PIN is given one here too, if it has none that is alive.',
      access: { app: true },
      body: { linked_device_id: linkedDeviceId },
    },
    link: {
      method: 'PUT',
      about: 'Links the device that shows this PIN to a consumer.',
      access: { app: true, consumer: true },
      body: { consumer_id: consumerId, pin },
    },
    unlink: {
      method: 'PUT',
      about: 'Undoes the link. The sessions that came from the device end.',
      access: { app: true, consumer: true },
      body: { consumer_id: consumerId, pin },
    },
  },
})
