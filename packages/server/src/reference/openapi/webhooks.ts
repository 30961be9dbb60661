import {
  catalog,
  eventTypesOf,
  type JsonSchema,
  otherEvents,
  type Resource,
  subjectOf,
} from '@zoetrope/contract'
import { pascalCase, tagOf } from './names.js'
import { schemaRef } from './schemas.js'

/** What a webhook is sent: for each kind of record the request with its events. */
export function webhooks(): Readonly<Record<string, { readonly post: object }>> {
  const resources: readonly Resource[] = Object.values(catalog)
  const described = resources
    .map((resource) => ({ resource, types: eventTypesOf(resource) }))
    .filter(({ types }) => types.length > 0)
  return Object.fromEntries([
    ...described.map(({ resource, types }) => {
      const name = subjectOf(resource)
      return [name, delivery(name, types, schemaRef(pascalCase(resource.name)))]
    }),
    ['other', delivery('other', Object.keys(otherEvents), { type: 'object' })],
  ])
}

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const headers = [
  header('webhook-id', 'The id of the event. It may arrive more than once.'),
  header(
    'webhook-timestamp',
    'When it was sent, in seconds since 1970. Refuse what is older than five minutes.',
  ),
  header(
    'webhook-signature',
    'v1, and the HMAC-SHA256 of id, timestamp and body, as Standard Webhooks defines it.',
  ),
]

function delivery(name: string, types: readonly string[], data: JsonSchema) {
  const schema = {
    allOf: [
      schemaRef(pascalCase(catalog.events.name)),
      { type: 'object', properties: { type: { type: 'string', enum: types }, data } },
    ],
  }
  return {
    post: {
      operationId: `on${pascalCase(name)}Event`,
      summary: name === 'other' ? 'Events of the team and of keys' : `Events of ${name.replaceAll('_', ' ')}`,
      description:
        'Sent to webhooks whose `events` name one of these types. Verify the signature before you use it.',
      tags: [tagOf(catalog.webhooks)],
      security: [],
      parameters: headers,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'Delivered.' },
        '4XX': {
          description: 'Not delivered: it is sent again, later and later. 410 switches the webhook off.',
        },
      },
    },
  }
}
