import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useRef } from 'react'

/** The dialogs that are open, the uppermost last. */
const open: object[] = []

/** Escape closes the uppermost dialog, and no other; what is open inside of it, such as a list of choices, comes first. */
export function useEscape(isOpen: boolean, onClose: () => void): void {
  const me = useRef({})
  useEffect(() => {
    if (!isOpen) return
    const { current } = me
    open.push(current)
    return () => void open.splice(open.indexOf(current), 1)
  }, [isOpen])
  const onKey = ({ key, isComposing, target }: KeyboardEvent) => {
    const isTaken =
      target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true'
    if (key === 'Escape' && !isComposing && !isTaken && open.at(-1) === me.current) onClose()
  }
  useWindowEvent('keydown', onKey, { capture: true })
}
