import { choice, id, integer, list, map, nested, objects, text } from '../fields.js'
import { limits } from '../limits.js'
import { defineResource } from '../resource.js'

export const batches = defineResource({
  name: 'batch',
  plural: 'batches',
  about: `Up to ${limits.batch.value} writes in one request and one transaction. A write that fails changes nothing and does not stop the others. With dry_run, nothing is changed, and the results say what would be.`,
  access: {},
  roles: ['owner', 'editor'],
  namedKeys: 'never',
  path: 'batch',
  derived: true,
  atomic: true,
  operations: ['create'],
  fields: {
    requests: nested(
      {
        method: choice(['POST', 'PUT', 'DELETE'], { about: 'The verb.', required: true }),
        path: text({
          about: 'The path, such as /videos/{id} or /events/{id}/undo, with its query if it has one.',
          required: true,
          maxLength: 1000,
        }),
        body: map({ about: 'The body, as in a request of its own.' }),
      },
      {
        about: 'The writes, in the order in which they are done.',
        required: true,
        writeOnly: true,
        item: 'request',
        maxItems: limits.batch.value,
      },
    ),
    results: objects(
      {
        status: integer({
          about: 'The status that the write would have had as a request of its own.',
          always: true,
        }),
        record_id: id({
          about:
            'The record that it was about; null if it failed, if nothing was changed, or if it undid an event.',
        }),
        event_ids: list(id({ about: 'An event.' }), {
          about: 'The events of that record, the newest first. Undo all of them to undo the write.',
          item: 'event_id',
        }),
        previous: map({ about: 'The fields that it changed, with their old values.' }),
        values: map({ about: 'The same fields with their new values.' }),
        message: text({ about: 'Why it failed; null if it did not.', maxLength: 50_000 }),
        errors: map({ about: 'What is wrong with each field; empty if it did not fail.' }),
      },
      { about: 'One result for each write, in the same order.', item: 'result' },
    ),
  },
})
