import { choice, flag, integer, list, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

export const users = defineResource({
  name: 'user',
  plural: 'users',
  path: 'site/users',
  about: 'A person who signs in to the dashboard and has a role in this channel, or is invited to it.',
  access: {},
  roles: ['owner'],
  namedKeys: 'never',
  confirmed: { create: true, update: ['role', 'email'] },
  derived: true,
  operations: ['list', 'get', 'create', 'update'],
  fields: {
    email: text({
      about:
        'The e-mail address they sign in with; unique in the channel. It can be changed until they accept the invitation.',
      required: true,
      maxLength: 200,
      format: 'email',
      filter: ['is'],
      search: true,
    }),
    first_name: text({ about: 'The first name.', maxLength: 100, search: true }),
    last_name: text({ about: 'The last name.', maxLength: 100, search: true }),
    phone_number: text({ about: 'A telephone number.', maxLength: 50 }),
    role: choice(['owner', 'editor', 'viewer', 'admin', 'content_manager', 'finance_manager'], {
      about:
        'owner, editor or viewer. admin, content_manager and finance_manager are accepted as other names for them, in this order, and shown as owner, editor and viewer.',
      default: 'owner',
    }),
    role_ids: list(text({ about: 'The role.' }), {
      about: 'The role, as a list of one.',
      computed: true,
      item: 'role_id',
    }),
    time_zone: text({ about: 'A time zone such as Europe/Berlin.', maxLength: 100 }),
    notifications_enabled: flag({ about: 'Wants to receive notifications.', default: true }),
    sign_in_count: integer({ about: 'How often they have signed in.', computed: true, default: 0 }),
    current_sign_in_at: timestamp({ about: 'When they last signed in.', computed: true }),
    current_sign_in_ip: text({ about: 'From where.', computed: true }),
    last_sign_in_at: timestamp({ about: 'When they signed in before that.', computed: true }),
    last_sign_in_ip: text({ about: 'From where.', computed: true }),
    invitation_url: text({
      about:
        'The URL where the person accepts the invitation, within seven days; shown once, when the user is created. Null if the server sends mail: it is mailed to their address then, and shown to nobody else.',
      computed: true,
      derived: true,
      once: true,
      maxLength: 2000,
    }),
  },
  actions: {
    detach: {
      method: 'PUT',
      path: 'remove',
      about: 'Removes the user from this channel; returns the record as it was.',
      access: {},
      success: 201,
    },
  },
})
