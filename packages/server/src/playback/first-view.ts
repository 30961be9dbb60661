import { createHash } from 'node:crypto'
import { type Html, html } from '../lib/html.js'
import { inScript } from './snippets.js'

/** What a page shows until the player's script has loaded, in the look of the player. */
export const firstViewStyle = `zoetrope-player:not(:defined){display:block;position:relative;overflow:hidden;background:#000}
zoetrope-player>img,.first img{position:absolute;inset:0;width:100%;height:100%;object-fit:contain}
.first{position:absolute;inset:0;display:grid;place-items:center;width:100%;height:100%;margin:0;padding:0;border:0;background:none;cursor:pointer}
.first svg{box-sizing:content-box;position:relative;width:36px;height:36px;padding:18px;border-radius:50%;background:rgb(10 10 14/.68);fill:#fff}
.first:focus{outline:0}.first:focus-visible svg{outline:3px solid #fff}
.first[aria-busy] svg{animation:wait 1s ease-in-out infinite alternate}@keyframes wait{to{opacity:.35}}
@media (max-width:420px){.first svg{width:30px;height:30px;padding:14px}}
@media (scripting:none){.first svg{display:none}}`

/** The shape of the play button, in a box of 24 by 24. */
export const playIcon = 'm6 21 15-9L6 3v18Z'

/** The poster, and a play button unless the film starts by itself or has no controls. */
export function firstView(options: {
  readonly poster: string | undefined
  readonly autoplay?: boolean
  readonly controls?: boolean
}): Html {
  const picture = options.poster && html`<img src="${options.poster}" alt="">`
  if (options.autoplay || options.controls === false) return html`${picture}`
  return html`<button type="button" class="first" aria-label="Play">${picture}<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${playIcon}"/></svg></button>`
}

/** The poster goes first. If it does not arrive, the player does not wait for it. */
export const longestWaitMs = 3000

/**
 * Loads the player's script after the poster. A press of the play button before that counts: the player starts as soon as it
 * can.
 */
const loader = (playerUrl: string): string => `(function () {
  var player = document.querySelector('zoetrope-player')
  var button = player.querySelector('.first')
  var poster = player.querySelector('img')
  var script
  function load() {
    if (script) return
    script = document.createElement('script')
    script.src = ${inScript(`${playerUrl}/zoetrope-player.js`)}
    script.async = true
    script.onerror = function () {
      script = undefined
      if (button) button.removeAttribute('aria-busy')
    }
    document.body.appendChild(script)
  }
  if (button) button.addEventListener('click', function () {
    player.setAttribute('autoplay', '')
    button.setAttribute('aria-busy', 'true')
    load()
  })
  if (!poster || poster.complete || player.hasAttribute('autoplay')) load()
  else {
    poster.addEventListener('load', load)
    poster.addEventListener('error', load)
    setTimeout(load, ${longestWaitMs})
  }
})()`

/** The element with the loader. Its text has no characters that HTML would read otherwise. */
export const loaderElement = (playerUrl: string): string => `<script>${loader(playerUrl)}</script>`

/** The source that lets a page run the loader, for its policy. */
export const loaderSource = (playerUrl: string): string =>
  `'sha256-${createHash('sha256').update(loader(playerUrl)).digest('base64')}'`
