/**
 * The script that pages load. It defines `<zoetrope-player>`, processes the embeds queued in `window.zoetropeEmbeds`,
 * and fills marked elements.
 */
import { embed, embedEverywhere, embedMarked } from './embed.js'
import type { PlayerOptions } from './options.js'
import { definePlayer } from './player-element.js'

type Embed = PlayerOptions & { readonly videoId: string }

declare global {
  interface Window {
    zoetropeEmbeds?: { push(...embeds: Embed[]): unknown } | Embed[]
  }
}

const script = document.currentScript
const origin = script instanceof HTMLScriptElement ? new URL(script.src).origin : window.location.origin

function takeEmbeds(): void {
  const waiting = window.zoetropeEmbeds
  window.zoetropeEmbeds = { push: (...embeds) => embeds.forEach(embedEverywhere) }
  if (Array.isArray(waiting)) waiting.forEach(embedEverywhere)
  void embedMarked(origin)
}

definePlayer()
if (document.readyState === 'loading')
  document.addEventListener('DOMContentLoaded', takeEmbeds, { once: true })
else takeEmbeds()

export { definePlayer, embed }
