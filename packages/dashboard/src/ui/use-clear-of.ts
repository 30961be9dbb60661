import { type RefObject, useEffect } from 'react'

/** What should stay visible as a whole: a field with its label and message, or a row. */
const whole = '.mantine-InputWrapper-root, tr, li'
const gap = 8

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
    // False if the user scrolled the element away.
    let isWanted = true
    const clear = () => {
      const covered = coverage(current)
      if (covered > 0) scroller.scrollBy({ top: covered, behavior: 'instant' })
      isWanted = true
    }
    // After the next paint: a message below the field has its place then, and the bar has followed a scroll.
    const soon = () => {
      cancelAnimationFrame(waiting)
      waiting = requestAnimationFrame(() => {
        waiting = requestAnimationFrame(clear)
      })
    }
    const onScroll = () => {
      isWanted = coverage(current) <= 0
    }
    const resizes = new ResizeObserver(() => isWanted && soon())
    resizes.observe(current)
    if (current.parentElement) resizes.observe(current.parentElement)
    soon()
    document.addEventListener('focusin', soon)
    document.addEventListener('input', soon)
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      cancelAnimationFrame(waiting)
      resizes.disconnect()
      document.removeEventListener('focusin', soon)
      document.removeEventListener('input', soon)
      scroller.removeEventListener('scroll', onScroll)
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
