import { ActionIcon, Button, Kbd } from '@mantine/core'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Icon } from '../ui/icons.js'
import { strings } from './strings.js'

/** Loads when it is first opened. */
const Palette = lazy(async () => ({ default: (await import('./palette/palette.js')).Palette }))

const isMac = /mac|iphone|ipad/i.test(navigator.platform)

/** Ctrl+K, or ⌘K on a Mac. Not over a dialog, which has the keyboard to itself. */
const isShortcut = (event: KeyboardEvent) =>
  (isMac ? event.metaKey : event.ctrlKey) &&
  !event.altKey &&
  !event.shiftKey &&
  event.key.toLowerCase() === 'k' &&
  !document.querySelector('[role=dialog]')

/** Opens the search for pages, videos, consumers and actions. */
export function PaletteButton() {
  const [isOpen, setIsOpen] = useState(false)
  const [isWanted, setIsWanted] = useState(false)
  const open = () => {
    setIsWanted(true)
    setIsOpen(true)
  }
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return
      event.preventDefault()
      setIsWanted(true)
      setIsOpen(true)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  const common = {
    onClick: open,
    'aria-haspopup': 'dialog',
    'aria-keyshortcuts': 'Control+K Meta+K',
  } as const
  return (
    <>
      <Button
        {...common}
        variant="default"
        size="sm"
        fw={400}
        visibleFrom="sm"
        leftSection={<Icon name="search" size={16} />}
        rightSection={<Kbd size="xs">{isMac ? '⌘K' : 'Ctrl K'}</Kbd>}
      >
        {strings.find}
      </Button>
      <ActionIcon {...common} variant="default" size={36} hiddenFrom="sm" aria-label={strings.find}>
        <Icon name="search" />
      </ActionIcon>
      {isWanted && (
        <Suspense>
          <Palette isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
