import { applyOptions, type PlayerOptions } from './options.js'
import { definePlayer, type ZoetropePlayer } from './player-element.js'
import { fetchOptions } from './player-json.js'

/** Puts a player into an element, or sets up the one that is there already. */
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

/** The elements of a page that stand for a video: `#zype_{id}`, or `data-zoetrope-video="{id}"`. */
export function elementsFor(videoId: string): Element[] {
  const id = CSS.escape(videoId)
  return [...document.querySelectorAll(`#zype_${id}, [data-zoetrope-video="${id}"]`)]
}

/** Fills every element that stands for the video. */
export function embedEverywhere(options: PlayerOptions & { readonly videoId: string }): void {
  for (const element of elementsFor(options.videoId)) embed(element, options)
}

const isTrue = (text: string | undefined) => text !== undefined && text !== 'false'

/** Fills the elements that carry all a player needs: `data-zoetrope-video` with `data-zoetrope-key`. */
export async function embedMarked(origin: string): Promise<void> {
  const marked = document.querySelectorAll<HTMLElement>('[data-zoetrope-video][data-zoetrope-key]')
  await Promise.all(
    [...marked].map(async (element) => {
      const { zoetropeVideo: videoId = '', zoetropeKey = '', autoplay, muted, loop } = element.dataset
      const { start, controls, audio } = element.dataset
      const url = new URL(`/embed/${encodeURIComponent(videoId)}.json`, origin)
      url.searchParams.set('api_key', zoetropeKey)
      if (isTrue(audio)) url.searchParams.set('audio', 'true')
      const flags = { autoplay: isTrue(autoplay), muted: isTrue(muted), loop: isTrue(loop) }
      const own = { ...flags, controls: controls !== 'false' }
      const begin = start === undefined ? {} : { start: Number(start) }
      embed(element, { videoId, ...own, ...begin, ...(await fetchOptions(url.href)) })
    }),
  )
}
