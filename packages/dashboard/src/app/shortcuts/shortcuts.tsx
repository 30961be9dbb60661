import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useState } from 'react'
import { onShowShortcuts } from './open-shortcuts.js'

/** Loads when it is first opened. */
const ShortcutsDialog = lazy(async () => ({ default: (await import('./dialog.js')).ShortcutsDialog }))

/** Opens the list of keyboard shortcuts with the question mark. */
export function Shortcuts() {
  const [isOpen, setIsOpen] = useState(false)
  const [isWanted, setIsWanted] = useState(false)
  const open = () => {
    setIsWanted(true)
    setIsOpen(true)
  }
  useEffect(() => onShowShortcuts(open))
  useHotkeys([['shift+?', () => !document.querySelector('[role=dialog]') && open()]])
  return (
    isWanted && (
      <Suspense>
        <ShortcutsDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />
      </Suspense>
    )
  )
}
