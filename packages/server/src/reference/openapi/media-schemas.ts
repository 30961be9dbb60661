import type { JsonSchema } from '@zoetrope/contract'

/** What the operations for players answer, as it is on the wire. */

const text = (description: string): JsonSchema => ({ type: 'string', description })
const address = (description: string): JsonSchema => ({ type: 'string', format: 'uri', description })
const whole = (description: string): JsonSchema => ({ type: 'integer', minimum: 1, description })

function object(
  description: string,
  properties: Record<string, JsonSchema>,
  optional: readonly string[] = [],
) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', description, properties, required }
}

const wrapped = (response: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['response'],
  properties: { response },
  xml: { name: 'result' },
})

/** Everything about the video and its addresses that is not fixed in number. */
const facts = (description: string): JsonSchema => ({
  type: 'object',
  description,
  additionalProperties: true,
})
const listOfFacts = (description: string): JsonSchema => ({
  type: 'array',
  description,
  items: { type: 'object', additionalProperties: true },
})

export const mediaSchemas: Readonly<Record<string, JsonSchema>> = {
  PlayerSnippets: wrapped(
    object('What to paste into a page, and the addresses behind it.', {
      iframe: text('A frame that is as wide as its place.'),
      script: text('A script that puts the player where it stands.'),
      element: text('The element of the player, with its script.'),
      page_url: address('The page of the player, for a frame.'),
      share_url: address('A page to send to others.'),
      oembed_url: address('Where oEmbed describes it.'),
      manifest_url: address('The HLS playlist.'),
      width: whole('Pixels across.'),
      height: whole('Pixels down.'),
    }),
  ),
  LiveManifest: wrapped(
    object('Where a live event plays.', {
      _id: text('The id of the video.'),
      url: address('The HLS playlist.'),
    }),
  ),
  PlayerData: wrapped(
    object('All that a player needs.', {
      video: facts('Fields of the video.'),
      body: object(
        'Where it plays, and what belongs to it.',
        {
          outputs: listOfFacts('Addresses of the film, the best for most players first.'),
          files: listOfFacts('The same as outputs.'),
          subtitles: listOfFacts('Addresses of the subtitles, by language.'),
          advertising: facts('When which advertisement is shown; empty if there is none.'),
          analytics: facts('Where plays are reported; empty if they are not counted.'),
          on_air: { type: 'boolean', description: 'Whether a live event is on the air.' },
          poster: address('The picture shown before it plays.'),
          storyboard: address('Pictures along the film, as WebVTT.'),
          status_url: address('Where a player learns how far the video is.'),
        },
        ['poster', 'storyboard'],
      ),
      provider: facts('Whose player it is.'),
      player: facts('How the player looks and begins.'),
    }),
  ),
  Oembed: object(
    'How to show the video, as https://oembed.com says.',
    {
      version: text('Always 1.0.'),
      type: text('Always video.'),
      title: text('The title of the video.'),
      author_name: text('The title of the channel.'),
      provider_name: text('Always Zoetrope.'),
      provider_url: address('The address of the player.'),
      cache_age: whole('Seconds that the answer may be kept.'),
      html: text('The frame to show.'),
      width: whole('Pixels across.'),
      height: whole('Pixels down.'),
      duration: whole('Seconds.'),
      thumbnail_url: address('A picture of it.'),
      thumbnail_width: whole('Pixels across.'),
      thumbnail_height: whole('Pixels down.'),
    },
    ['duration', 'thumbnail_url', 'thumbnail_width', 'thumbnail_height'],
  ),
}
