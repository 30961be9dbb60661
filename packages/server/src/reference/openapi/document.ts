import { catalog, type JsonSchema, type Resource } from '@zoetrope/contract'
import { feedOperations } from './feeds.js'
import { tagGroups } from './groups.js'
import { introduction } from './introduction.js'
import { mediaOperations, mediaTag } from './media.js'
import { mediaSchemas } from './media-schemas.js'
import { tagOf } from './names.js'
import { oauthOperations, oauthTag } from './oauth.js'
import { oauthResponses, oauthSchemas } from './oauth-schemas.js'
import { type PlacedOperation, resourceOperations } from './operations.js'
import { changeParameters, requestParameters, sharedParameters, writeParameters } from './parameters.js'
import { platformOperations, platformTag } from './platform.js'
import { withRecorded } from './recorded.js'
import { errorComponent, errorResponses, headers } from './responses.js'
import { messageComponent, paginationComponent, resourceSchemas } from './schemas.js'
import { securitySchemes } from './security.js'
import { tusOperations, withFiles } from './uploads.js'
import { webhooks } from './webhooks.js'

export interface OpenApi {
  readonly openapi: '3.1.0'
  readonly info: object
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>> & {
    readonly schemas: Readonly<Record<string, JsonSchema>>
  }
}

/** The whole API as an OpenAPI 3.1 document, made from the contract. */
export function openApi({ apiUrl, version }: { apiUrl: string; version: string }): OpenApi {
  const resources: readonly Resource[] = Object.values(catalog)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Zoetrope API',
      version,
      summary: 'Videos, the apps that show them, the viewers who watch them, and the channel they belong to.',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: apiUrl }],
    tags: [
      ...resources.map((resource) => ({ name: tagOf(resource), description: resource.about })),
      oauthTag,
      mediaTag,
      platformTag,
    ],
    'x-tagGroups': tagGroups(),
    paths: byPath([
      ...[
        ...withFiles(resources.flatMap(resourceOperations)),
        ...tusOperations(),
        ...mediaOperations(),
        ...feedOperations(),
        ...oauthOperations(),
        ...platformOperations(),
      ].map(withRecorded(apiUrl)),
    ]),
    webhooks: webhooks(),
    components: {
      schemas: {
        ...collect(resources, resourceSchemas),
        Pagination: paginationComponent,
        Message: messageComponent,
        Error: errorComponent,
        ...oauthSchemas,
        ...mediaSchemas,
      },
      parameters: { ...sharedParameters, ...writeParameters, ...changeParameters, ...requestParameters },
      headers,
      responses: { ...errorResponses(), ...oauthResponses },
      securitySchemes: securitySchemes(apiUrl),
    },
  }
}

function byPath(operations: readonly PlacedOperation[]): OpenApi['paths'] {
  const paths: Record<string, Record<string, object>> = {}
  for (const { path, method, operation } of operations) paths[path] = { ...paths[path], [method]: operation }
  return paths
}

function collect<T>(resources: readonly Resource[], make: (resource: Resource) => Record<string, T>) {
  return Object.fromEntries(resources.flatMap((resource) => Object.entries(make(resource))))
}
