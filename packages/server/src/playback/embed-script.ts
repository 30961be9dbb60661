import type { PlayerOptions } from './embed-page.js'
import { longestWaitMs, playIcon } from './first-view.js'
import { inScript } from './snippets.js'

/**
 * The script for pages of others. It shows the poster and a play button in the elements that mark the video, and loads the
 * player after the poster, once the place of the video is near the visible part of the page. A video that starts by itself,
 * or that only the page controls, loads the player at once. A press of the play button before the player has loaded counts.
 *
 * Styles are set on each element, because the page's policy may forbid style sheets. They are on elements that the player
 * removes when it takes over.
 */
export function embedScript(
  playerUrl: string,
  options: PlayerOptions | { readonly videoId: string },
): string {
  const [embed, src] = [options, `${playerUrl}/zoetrope-player.js`].map(inScript)
  return `(function () {
  var src = ${src}
  var embed = ${embed}
  var embeds = (window.zoetropeEmbeds = window.zoetropeEmbeds || [])
  var buttons = []
  embeds.push(embed)
  if (window.customElements && window.customElements.get('zoetrope-player')) return
  var isEager = !embed.poster || embed.autoplay || embed.controls === false
  if (isEager) load()
  if (!embed.poster) return
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', showAll)
  else showAll()

  function showAll() {
    var marks = '#zype_' + embed.videoId + ', [data-zoetrope-video="' + embed.videoId + '"]'
    var places = document.querySelectorAll(marks)
    if (places.length === 0) load()
    for (var i = 0; i < places.length; i += 1) show(places[i])
  }
  function show(place) {
    var player = place
    if (place.localName !== 'zoetrope-player') {
      if (place.querySelector('zoetrope-player')) return
      place.textContent = ''
      player = place.appendChild(document.createElement('zoetrope-player'))
    }
    var box = add(player, document.createElement('div'), {
      display: 'block',
      position: 'relative',
      width: '100%',
      'max-height': '100vh',
      'aspect-ratio': 'var(--zoetrope-aspect-ratio, ' + (embed.aspectRatio || '16 / 9') + ')',
      overflow: 'hidden',
      background: '#000'
    })
    var poster = document.createElement('img')
    poster.alt = ''
    poster.loading = 'lazy'
    poster.src = embed.poster
    add(box, poster, { position: 'absolute', inset: '0', width: '100%', height: '100%', 'object-fit': 'contain' })
    if (isEager) return
    addButton(player, box)
    whenNear(box, function () {
      if (poster.complete) return load()
      poster.addEventListener('load', load)
      poster.addEventListener('error', load)
      setTimeout(load, ${longestWaitMs})
    })
  }
  function addButton(player, box) {
    var button = document.createElement('button')
    button.type = 'button'
    button.setAttribute('aria-label', 'Play')
    add(box, button, {
      position: 'absolute',
      inset: '0',
      display: 'grid',
      'place-items': 'center',
      width: '100%',
      height: '100%',
      margin: '0',
      padding: '0',
      border: '0',
      background: 'none',
      cursor: 'pointer'
    })
    var icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    icon.setAttribute('viewBox', '0 0 24 24')
    icon.setAttribute('aria-hidden', 'true')
    add(button, icon, {
      'box-sizing': 'content-box',
      width: '36px',
      height: '36px',
      padding: '18px',
      'border-radius': '50%',
      background: 'rgb(10 10 14 / .68)',
      fill: '#fff'
    })
    var path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
    path.setAttribute('d', '${playIcon}')
    icon.appendChild(path)
    buttons.push(button)
    button.addEventListener('click', function () {
      delete embed.autoplay
      player.setAttribute('autoplay', '')
      button.setAttribute('aria-busy', 'true')
      load()
    })
  }
  function add(parent, element, styles) {
    for (var name in styles) element.style.setProperty(name, styles[name])
    return parent.appendChild(element)
  }
  function whenNear(element, then) {
    if (!window.IntersectionObserver) return then()
    var observer = new IntersectionObserver(function (entries) {
      if (!entries.some(function (entry) { return entry.isIntersecting })) return
      observer.disconnect()
      then()
    }, { rootMargin: '200px' })
    observer.observe(element)
  }
  function load() {
    if (document.querySelector('script[src="' + src + '"]')) return
    var script = document.createElement('script')
    script.src = src
    script.async = true
    script.onerror = function () {
      script.remove()
      buttons.forEach(function (button) { button.removeAttribute('aria-busy') })
    }
    document.head.appendChild(script)
  }
})()
`
}
