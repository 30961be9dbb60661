import { type RefObject, useEffect } from 'react'

/** What should stay visible as a whole: a field with its label and message, or a row. */
const whole = '.mantine-InputWrapper-root, tr, li'
const gap = 8

/**
 * Scrolls the focused element out from under a bar at the bottom of the window: when the bar appears, and while the
 * user types or moves on. Only elements beside the bar count, not those of dialogs.
 */
export function useClearOf(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let waiting = 0
    const clear = () => {
      const { current } = bar
      const { activeElement } = document
      if (!current || !activeElement || current.contains(activeElement)) return
      if (!current.parentElement?.contains(activeElement)) return
      const shown = activeElement.closest(whole) ?? activeElement
      const covered = shown.getBoundingClientRect().bottom + gap - current.getBoundingClientRect().top
      const scroller = current.closest('[role=dialog]') ?? window
      if (covered > 0) scroller.scrollBy({ top: covered, behavior: 'instant' })
    }
    // After the next paint: a message below the field has its place then, and the bar has followed a scroll.
    const soon = () => {
      cancelAnimationFrame(waiting)
      waiting = requestAnimationFrame(() => {
        waiting = requestAnimationFrame(clear)
      })
    }
    soon()
    document.addEventListener('focusin', soon)
    document.addEventListener('input', soon)
    return () => {
      cancelAnimationFrame(waiting)
      document.removeEventListener('focusin', soon)
      document.removeEventListener('input', soon)
    }
  }, [bar])
}
