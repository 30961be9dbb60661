import { applyOptions, type PlayerOptions } from './options.js'
import { definePlayer, type ZoetropePlayer } from './player-element.js'
import { fetchOptions } from './player-json.js'

/** Inserts a player into an element, or configures the existing one. */
export function embed(element: Element, options: PlayerOptions): ZoetropePlayer {
  definePlayer()
  const name = 'zoetrope-player'
  const isPlayer = element.localName === name
  const present = (isPlayer ? element : element.querySelector(`:scope > ${name}`)) as ZoetropePlayer | null
  const player = present ?? (document.createElement(name) as ZoetropePlayer)
  applyOptions(player, options)
  if (!present) element.replaceChildren(player)
  return player
}

/** The placeholders for a video on the page: `#zype_{id}`, or `data-zoetrope-video="{id}"`. */
export function elementsFor(videoId: string): Element[] {
  const id = CSS.escape(videoId)
  return [...document.querySelectorAll(`#zype_${id}, [data-zoetrope-video="${id}"]`)]
}

/** Inserts a player into every placeholder of the video. */
export function embedEverywhere(options: PlayerOptions & { readonly videoId: string }): void {
  for (const element of elementsFor(options.videoId)) embed(element, options)
}

const switches = ['autoplay', 'muted', 'loop', 'controls', 'audio'] as const

/** The options of an element, as query parameters for the player JSON. */
function wishesOf({ dataset }: HTMLElement): Record<string, string> {
  const { start, color } = dataset
  const said = switches.flatMap((name) => {
    const text = dataset[name]
    return text === undefined ? [] : [[name, String(text !== 'false')]]
  })
  return { ...Object.fromEntries(said), ...(start && { start }), ...(color && { color }) }
}

/** Inserts players into elements that have `data-zoetrope-video`, and `data-zoetrope-key` or `data-zoetrope-token`. */
export async function embedMarked(origin: string): Promise<void> {
  const marked = document.querySelectorAll<HTMLElement>(
    '[data-zoetrope-video]:is([data-zoetrope-key],[data-zoetrope-token])',
  )
  await Promise.all(
    [...marked].map(async (element) => {
      const {
        zoetropeVideo: videoId = '',
        zoetropeKey: api_key,
        zoetropeToken: playback_token,
      } = element.dataset
      const credential: Record<string, string> = playback_token
        ? { playback_token }
        : { api_key: api_key ?? '' }
      const url = new URL(`/embed/${encodeURIComponent(videoId)}.json`, origin)
      url.search = String(new URLSearchParams({ ...credential, ...wishesOf(element) }))
      embed(element, { videoId, ...(await fetchOptions(url.href)) })
    }),
  )
}
