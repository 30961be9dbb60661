/** The keys of the player, as its help lists them. */
export const keyHelp: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['Space', 'K'], 'Play or pause'],
  [['←', '→', 'J', 'L'], 'Back or forward 5 seconds'],
  [['0 – 9'], 'Go to 0 – 90 % of the film'],
  [['Home', 'End'], 'Go to the beginning or the end'],
  [['↑', '↓'], 'Volume'],
  [['M'], 'Mute'],
  [['C'], 'Captions'],
  [['<', '>'], 'Slower or faster'],
  [['F'], 'Full screen'],
  [['P'], 'Picture in picture'],
  [['?'], 'Show these keys'],
]

/** Keys that media-chrome handles, apart from those that also scroll a page. */
const forwarded: ReadonlySet<string> = new Set([' ', ...'kmfcjlp<>', 'ArrowLeft', 'ArrowRight'])

/** Seconds before the end. Closer to it, hls.js looks for a segment after the last one, and no picture comes. */
const beforeEnd = 0.5

/** Returns where a key leads in a film of this length, if it leads anywhere. */
export function positionForKey(key: string, duration: number): number | undefined {
  if (!(duration > 0) || !Number.isFinite(duration)) return undefined
  if (/^[0-9]$/.test(key)) return (duration * Number(key)) / 10
  if (key === 'Home') return 0
  return key === 'End' ? Math.max(0, duration - beforeEnd) : undefined
}

const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent) => ctrlKey || metaKey || altKey

const isSlider = (target: EventTarget) => target instanceof HTMLInputElement && target.type === 'range'

/** Elements that use a key themselves, such as menus, name it in `keysUsed`. Sliders also have Home and End. */
const isUsedBy = (target: EventTarget, key: string): boolean =>
  ((target as { readonly keysUsed?: readonly string[] }).keysUsed ?? []).includes(key) ||
  (isSlider(target) && (key === 'Home' || key === 'End'))

interface KeyInput {
  readonly controller: HTMLElement
  readonly video: HTMLVideoElement
  readonly showKeys: () => void
}

/** Adds the keys that media-chrome does not have. Returns whether it handled the key. */
function handleKey({ video, showKeys }: KeyInput, event: KeyboardEvent): boolean {
  if (hasModifier(event) || event.composedPath().some((target) => isUsedBy(target, event.key))) return false
  const position = positionForKey(event.key, video.duration)
  if (position !== undefined) video.currentTime = position
  else if (event.key === '?') showKeys()
  else return false
  event.preventDefault()
  return true
}

export function listenForKeys(input: KeyInput): void {
  input.controller.addEventListener('keydown', (event) => void handleKey(input, event))
}

/**
 * Moves the focus back to the player after a click on one of its buttons. Otherwise the space bar would press that button
 * again instead of pausing the film. Menus keep the focus.
 */
export function keepFocus(controller: HTMLElement, bar: HTMLElement): void {
  bar.addEventListener('click', (event) => {
    const isPointer = event.detail > 0
    const opensMenu = event.composedPath().some((target) => (target as Element).localName?.includes('-menu'))
    if (isPointer && !opensMenu) controller.focus({ preventScroll: true })
  })
}

/** On a page of the player's own, keys work while nothing has the focus. */
export function listenOnPage(input: KeyInput, signal: AbortSignal): void {
  document.addEventListener(
    'keydown',
    (event) => {
      if (document.activeElement && document.activeElement !== document.body) return
      if (hasModifier(event) || event.defaultPrevented) return
      const scrolls = event.key === 'Home' || event.key === 'End'
      if (!scrolls && handleKey(input, event)) return
      if (!forwarded.has(event.key)) return
      event.preventDefault()
      const { key, code, shiftKey } = event
      // media-chrome acts when the key is released, which the focused element hears.
      input.controller.focus({ preventScroll: true })
      input.controller.dispatchEvent(new KeyboardEvent('keydown', { key, code, shiftKey }))
    },
    { signal },
  )
}
