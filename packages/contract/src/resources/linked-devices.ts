import { id, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'
import { consumers } from './consumers.js'

export const linkedDevices = defineResource({
  name: 'linked_device',
  plural: 'linked_devices',
  about: 'A TV or box linked to a consumer by a PIN. Removing it ends its sessions.',
  access: { consumer: ['list', 'get', 'remove'] },
  path: 'devices',
  within: consumers,
  operations: ['list', 'get', 'remove'],
  fields: {
    consumer_id: id({ about: 'Whose device it is.', computed: true }),
    app_id: id({ about: 'The app that requested the PIN.', computed: true }),
    linked_device_id: text({ about: 'The id that the device generated.', computed: true, always: true }),
    type: text({ about: 'The kind of device, as it describes itself.', computed: true }),
    asked_from: text({ about: 'The network address it requested the PIN from.', computed: true }),
    linked_at: timestamp({ about: 'When it was linked.', computed: true }),
  },
})
