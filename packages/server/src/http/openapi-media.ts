import type { CallerKind } from '@zoetrope/contract'
import { kindName } from './openapi-names.js'
import type { PlacedOperation } from './openapi-operations.js'
import { idParameter } from './openapi-parameters.js'
import { errorsOf } from './openapi-responses.js'
import { schemaRef } from './openapi-schemas.js'
import { securityOf } from './openapi-security.js'

export const mediaTag = {
  name: 'Films',
  description:
    'Files in, and players out. A film can be played about a second after its last byte; what nobody has watched yet is made when somebody asks for it.',
}

const players: readonly CallerKind[] = ['admin', 'read_only', 'player', 'app', 'consumer']
const mayCall = (about: string, kinds: readonly CallerKind[]) =>
  `${about}\n\n**Who may call it:** ${kinds.map(kindName).join(', ')}.`

const upload: PlacedOperation = {
  path: '/uploads',
  method: 'post',
  operation: {
    operationId: 'uploadFilm',
    summary: 'Upload a film in one request',
    tags: [mediaTag.name],
    description: mayCall(
      'Makes a video of a file, or gives a video that exists its film. The key stands in the address or in a header: it is looked at before the file is read. Fields of the video may stand beside the file.',
      ['admin'],
    ),
    security: securityOf(['admin'], 'public'),
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['source'],
            properties: {
              source: { type: 'string', format: 'binary', description: 'The file.' },
              video_id: {
                type: 'string',
                description: 'The video that the film is for; a new one if absent.',
              },
              video: schemaRef('VideoUpdate'),
            },
          },
          encoding: { video: { style: 'deepObject', explode: true } },
        },
      },
    },
    responses: {
      201: {
        description: 'The video, being prepared.',
        content: { 'application/json': { schema: schemaRef('VideoResponse') } },
      },
      ...errorsOf(401, 403, 404, 413, 422, 500, 503),
    },
  },
}

const read = (
  path: string,
  operationId: string,
  summary: string,
  about: string,
  type: string,
): PlacedOperation => ({
  path,
  method: 'get',
  operation: {
    operationId,
    summary,
    tags: [mediaTag.name],
    description: mayCall(about, players),
    security: securityOf(players, 'public'),
    parameters: [idParameter],
    responses: {
      200: { description: 'It.', content: { [type]: { schema: { type: 'string' } } } },
      ...errorsOf(401, 404, 422, 500, 503),
    },
  },
})

/** What the catalog of resources does not describe: uploads and what players ask for. */
export const mediaOperations = (): PlacedOperation[] => [
  upload,
  read(
    '/manifest/{id}.m3u8',
    'getManifest',
    'The playlist of a video',
    'An HLS playlist with every rendition. Its addresses are signed, work for this video only and end after 12 hours.',
    'application/vnd.apple.mpegurl',
  ),
  read(
    '/embed/{id}',
    'getEmbed',
    'All that a player needs',
    'The video and the addresses of its renditions, as JSON; with `.html` the page of the player, with `.js` a script that puts it into the element `zype_{id}` of a page. `player_key` is another name for `api_key`.',
    'application/json',
  ),
]
