import { choice, id, map, text } from '../fields.js'
import { defineResource } from '../resource.js'

/** The version of the shape of events. */
export const eventVersion = '1'

export const events = defineResource({
  name: 'event',
  plural: 'events',
  about:
    'Something that happened in the channel: a record was created, changed or deleted, a film became playable, a publisher signed in. Kept for 30 days unless the operator chose otherwise.',
  access: {},
  roles: ['owner', 'editor'],
  namedKeys: 'read',
  derived: true,
  operations: ['list', 'get'],
  listOptions: {
    type: text({
      about:
        'Only events of this type. * stands for any characters: video.*, *.deleted. Several are separated by commas.',
      maxLength: 1000,
    }),
    actor: text({ about: 'Only events of this actor: its kind, such as editor or job, or its id.' }),
    after: id({ about: 'Only events after the one with this id. With order=asc, nothing is ever missed.' }),
    before: id({ about: 'Only events before the one with this id.' }),
  },
  fields: {
    type: text({
      about:
        'What happened: the name of the record and a verb, such as video.created, or a milestone, such as video.playable.',
      computed: true,
      always: true,
    }),
    api_version: choice([eventVersion], {
      about: 'The version of this format.',
      computed: true,
      always: true,
    }),
    // No reference: the record may be of any kind, and may be gone.
    record_id: text({
      about: 'The id of the record that it happened to, which may be gone.',
      computed: true,
      maxLength: 24,
      filter: ['is'],
    }),
    request_id: text({
      about: 'The request that caused it, as in the header X-Request-Id and in the log; null if none did.',
      computed: true,
      filter: ['is'],
    }),
    actor: map({
      about:
        'Who did it: kind (a kind of credential, a role in the dashboard, job, or system), id, and name if it is known.',
      computed: true,
    }),
    data: map({
      about: 'The record after the change, or as it was when it was deleted. Secrets are left out.',
      computed: true,
    }),
    previous: map({
      about: 'After an update: the fields that changed, with their old values. Otherwise empty.',
      computed: true,
    }),
    undoes: id({ about: 'The event that this one has undone.', computed: true }),
  },
  actions: {
    undo: {
      method: 'POST',
      atomic: true,
      about:
        'Undoes it: an update puts the old values back, unless they were changed since; a creation deletes the record; a deletion brings it back with what belonged to it. Needs the right to make that change. Returns the event of the undoing.',
      access: {},
    },
  },
  order: { sort: 'created_at', order: 'desc' },
})
