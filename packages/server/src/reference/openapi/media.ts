import type { CredentialKind } from '@zoetrope/contract'
import { kindName } from './names.js'
import { type PlacedOperation, placed } from './operations.js'
import { idParameter, inQuery } from './parameters.js'
import { errorsOf } from './responses.js'
import { schemaRef } from './schemas.js'
import { securityOf } from './security.js'

export const mediaTag = {
  name: 'Films',
  description:
    'What players ask for. A film can be played about a second after its last byte; what nobody has watched yet is made when somebody asks for it.',
}

const players: readonly CredentialKind[] = ['admin', 'named', 'read_only', 'player', 'app', 'consumer']
const callerName = (kind: CredentialKind) =>
  kind === 'named' ? `${kindName(kind)} (with the scope \`videos:read\`)` : kindName(kind)
const mayCall = (about: string, kinds: readonly CredentialKind[]) =>
  `${about}\n\n**Who may call it:** ${kinds.map(callerName).join(', ')}.`

const problems = errorsOf(401, 403, 404, 422, 429, 500, 503)
const text = { schema: { type: 'string' } }

const watching =
  'Server-Sent Events, in whatever format you request. `status` is sent first and after each change, with the whole state; `progress` has the renditions and the progress of each; `thumbnails` has the pictures; `end` is last: nothing more will change by itself, and a request with its id as `Last-Event-ID` gets 204. A comment comes every 15 seconds. A channel may have 100 streams open on each server.'
const watchers = ['admin', 'named'] as const

const events = placed(
  'get',
  '/videos/{id}/events',
  mediaTag.name,
  ['watchVideo', 'Watch a video become ready', mayCall(watching, watchers)],
  {
    security: securityOf(watchers, 'public'),
    parameters: [idParameter],
    responses: {
      200: { description: 'The events, as they happen.', content: { 'text/event-stream': text } },
      ...problems,
    },
  },
)

const read = (
  path: string,
  id: string,
  summary: string,
  about: string,
  answer: string,
  parameters: readonly object[] = [],
): PlacedOperation =>
  placed('get', path, mediaTag.name, [id, summary, mayCall(about, players)], {
    security: securityOf(players, 'public'),
    parameters: [idParameter, ...parameters],
    responses: { 200: { description: 'It.', content: contentOf(answer) }, ...problems },
  })

/** The answer is named by its media type, or by its schema if it comes as JSON or XML. */
const contentOf = (answer: string): object =>
  answer.includes('/')
    ? { [answer]: text }
    : { 'application/json': { schema: schemaRef(answer) }, 'application/xml': { schema: schemaRef(answer) } }

/** What an address may ask of the player. */
const wishes = [
  inQuery('autoplay', 'boolean', 'Begins by itself, muted if the browser allows no sound.'),
  inQuery('muted', 'boolean', 'Begins without sound.'),
  inQuery('loop', 'boolean', 'Begins again at the end.'),
  inQuery('start', 'number', 'Seconds from the beginning to start at.'),
  inQuery('controls', 'boolean', 'False for a picture without anything to press.'),
  inQuery('color', 'string', 'Colour of the player, as rrggbb.'),
  inQuery('audio', 'boolean', 'Only the sound.'),
]

const aboutOembed =
  'Answers as [oEmbed](https://oembed.com) says, for the addresses of share pages and players. It needs no credential: the player key stands in the address asked about.'

const oembed = placed(
  'get',
  '/oembed',
  mediaTag.name,
  ['getOembed', 'How to show a video on another page', aboutOembed],
  {
    parameters: [
      { ...inQuery('url', 'string', 'The address of a share page or a player.'), required: true },
      inQuery('format', 'string', '`json` or `xml`.'),
      inQuery('maxwidth', 'integer', 'The most pixels across.'),
      inQuery('maxheight', 'integer', 'The most pixels down.'),
    ],
    responses: {
      200: {
        description: 'The frame to show, its size and a picture.',
        content: {
          'application/json': { schema: schemaRef('Oembed') },
          'text/xml': { schema: schemaRef('Oembed') },
        },
      },
      ...errorsOf(401, 403, 404, 422, 500, 503),
    },
  },
)

const widthRule =
  'Pixels across, rounded up to 160, 240, 320, 480, 640, 960, 1280 or 1920, and never larger than the film. From 16 to'

/** What the catalog of resources does not describe: what players ask for. */
export const mediaOperations = (): PlacedOperation[] => [
  events,
  read(
    '/manifest/{id}.m3u8',
    'getManifest',
    'The playlist of a video',
    'An HLS playlist with every rendition. Its addresses are signed, work for this video only and end after 12 hours.',
    'application/vnd.apple.mpegurl',
  ),
  read(
    '/thumbnail/{id}.jpg',
    'getThumbnail',
    'A picture of any moment',
    'The picture of a video at a time, as JPEG, for anyone who may watch the video, from the moment it can be played. Caches may keep pictures of films that everybody may watch.',
    'image/jpeg',
    [
      inQuery('time', 'number', 'Seconds from the beginning, in tenths; 0 if absent.'),
      inQuery('width', 'integer', `${widthRule} 1920; 640 if absent.`),
    ],
  ),
  ...(['webp', 'gif'] as const).map((form) =>
    read(
      `/animated/{id}.${form}`,
      form === 'webp' ? 'getAnimation' : 'getAnimatedGif',
      `A moving picture of a few seconds, as ${form === 'webp' ? 'WebP' : 'GIF'}`,
      'Up to ten seconds of a video without sound, for anyone who may watch it. Channels that encrypt their films have none.',
      `image/${form}`,
      [
        inQuery('start', 'number', 'Seconds from the beginning; 0 if absent.'),
        inQuery('end', 'number', 'At most 10 seconds after the start; 5 if absent.'),
        inQuery('width', 'integer', `${widthRule} 640; 320 if absent.`),
        inQuery('fps', 'integer', 'Pictures a second, from 1 to 15; 10 if absent.'),
      ],
    ),
  ),
  read(
    '/manifest/live/{id}',
    'getLiveManifest',
    'The playlist of a live event',
    'Its id and the address of its HLS playlist, as JSON or XML, for a live event that plays from another address. `/live/manifest/{id}` is the same.',
    'LiveManifest',
  ),
  read(
    '/embed/{id}',
    'getEmbed',
    'All that a player needs',
    'The video and the addresses of its renditions, as JSON or XML; with `.html` the page of the player, with `.js` a script that puts it into the elements of a page with `data-zoetrope-video="{id}"` or the id `zype_{id}`. `player_key` is another name for `api_key`.',
    'PlayerData',
    wishes,
  ),
  read(
    '/playlists/{id}/carousel',
    'getPlaylistCarousel',
    'A playlist as a row of videos under a player',
    'A page for a frame, also with `.html`: the first 50 videos of the playlist that can be watched here and now. With `.js` a script that puts this frame into the element `zype_{id}` of a page, or where the script stands.',
    'text/html',
  ),
  read(
    '/videos/{id}/player',
    'getPlayerSnippets',
    'Snippets to paste into a page',
    'A frame, a script and an element with the player key in them, and the addresses behind them.',
    'PlayerSnippets',
    [...wishes, inQuery('width', 'integer', 'Pixels across; 640 if absent.')],
  ),
  read(
    '/watch/{id}',
    'getSharePage',
    'A page to send to others',
    'The player, the title and the description, with Open Graph tags and a link to oEmbed. A video that viewers see needs no credential here. The id may follow a title, as in `a-walk-65f0…`. If the viewer has to sign in or pay, the page says so (403).',
    'text/html',
    wishes,
  ),
  oembed,
]
