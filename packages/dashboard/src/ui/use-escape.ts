import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useRef } from 'react'

/** The open dialogs, topmost last. */
const open: object[] = []

/** Closes only the topmost dialog on Escape. Elements open inside it, such as a dropdown, close first. */
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
