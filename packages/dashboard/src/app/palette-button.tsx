import { ActionIcon, Button, Kbd } from '@mantine/core'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Icon } from '../ui/icons.js'
import { useStable } from '../ui/use-stable.js'
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

/** Whether a key types a character. The field gets those that are pressed before it is there. */
const isTyped = ({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent) =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey && !isComposing

/** Opens the search for pages, videos, consumers and actions. */
export function PaletteButton() {
  const [isOpen, setIsOpen] = useState(false)
  const [isWanted, setIsWanted] = useState(false)
  const early = useRef<string>(undefined)
  const open = useStable(() => {
    early.current = ''
    setIsWanted(true)
    setIsOpen(true)
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isShortcut(event)) open()
      else if (early.current === undefined || !isTyped(event)) return
      else early.current += event.key
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [open])
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
          <Palette
            isOpen={isOpen}
            onClose={() => {
              early.current = undefined
              setIsOpen(false)
            }}
            takeEarly={() => {
              const typed = early.current ?? ''
              early.current = undefined
              return typed
            }}
          />
        </Suspense>
      )}
    </>
  )
}
