import { id, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'
import { consumers } from './consumers.js'

export const linkedDevices = defineResource({
  name: 'linked_device',
  plural: 'linked_devices',
  about: 'A TV or box tied to a consumer by a PIN. Removing it ends the sessions that came from it.',
  access: { consumer: ['list', 'get', 'remove'] },
  path: 'devices',
  within: consumers,
  operations: ['list', 'get', 'remove'],
  fields: {
    consumer_id: id({ about: 'Whose device it is.', computed: true }),
    app_id: id({ about: 'The app that asked for the PIN.', computed: true }),
    linked_device_id: text({ about: 'The id the device gave itself.', computed: true, always: true }),
    type: text({ about: 'The kind of device, in its own words.', computed: true }),
    asked_from: text({ about: 'The address it asked from.', computed: true }),
    linked_at: timestamp({ about: 'When it was linked.', computed: true }),
  },
})
