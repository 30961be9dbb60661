import { type RefObject, useEffect } from 'react'

/** What should stay visible as a whole: a field with its label and message, or a row. */
const whole = '.mantine-InputWrapper-root, tr, li'
const gap = 8
const lookMs = 500
const uses = ['focusin', 'input']
/** What a user scrolls with. Keys that type or move the focus are followed by one of the uses. */
const moves = ['wheel', 'touchmove', 'pointerdown', 'keydown']

/**
 * Scrolls the focused element out from under a bar at the bottom of the window: when the bar appears, while the user types
 * or moves on, and when the page grows around it. Only elements beside the bar count, not those of dialogs.
 */
export function useClearOf(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = bar
    if (!current) return
    const scroller = current.closest('[role=dialog]') ?? window
    let waiting = 0
    // False once the user scrolls the element away.
    let isWanted = true
    const clear = () => {
      const covered = coverage(current)
      if (covered > 0) scroller.scrollBy({ top: covered, behavior: 'instant' })
    }
    // After the next paint: a message below the field has its place then, and the bar has followed a scroll.
    const soon = () => {
      if (waiting !== 0) return
      waiting = requestAnimationFrame(() => {
        waiting = requestAnimationFrame(() => {
          waiting = 0
          clear()
        })
      })
    }
    const onUse = () => {
      isWanted = true
      soon()
    }
    const onLayout = () => {
      if (isWanted) soon()
    }
    const onMove = () => {
      isWanted = false
    }
    const resizes = new ResizeObserver(onLayout)
    resizes.observe(current)
    if (current.parentElement) resizes.observe(current.parentElement)
    soon()
    for (const name of uses) document.addEventListener(name, onUse)
    for (const name of moves) document.addEventListener(name, onMove, { passive: true, capture: true })
    // The list scrolls by itself when rows above turn out to be higher than it expected.
    scroller.addEventListener('scroll', onLayout, { passive: true })
    // A new order of the rows moves the focused one without a scroll, and without a change of any size.
    const looks = setInterval(onLayout, lookMs)
    return () => {
      clearInterval(looks)
      cancelAnimationFrame(waiting)
      resizes.disconnect()
      for (const name of uses) document.removeEventListener(name, onUse)
      for (const name of moves) document.removeEventListener(name, onMove, { capture: true })
      scroller.removeEventListener('scroll', onLayout)
    }
  }, [bar])
}

/** How many pixels of the focused element the bar covers, with a gap. */
function coverage(bar: HTMLElement): number {
  const { activeElement } = document
  if (!activeElement || bar.contains(activeElement) || !bar.parentElement?.contains(activeElement)) return 0
  const shown = activeElement.closest(whole) ?? activeElement
  return shown.getBoundingClientRect().bottom + gap - bar.getBoundingClientRect().top
}
