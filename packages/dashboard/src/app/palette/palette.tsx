import { Box, Modal, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../../ui/icons.js'
import type { Choice } from './choice.js'
import classes from './palette.module.css'
import { strings } from './strings.js'
import { useChoices } from './use-choices.js'

interface PaletteProps {
  readonly isOpen: boolean
  onClose(): void
  /** Returns what was typed before the field had the focus. */
  takeEarly(): string
}

/** Finds a page, a video, a consumer or an action, and goes there. */
export const Palette = ({ isOpen, onClose, takeEarly }: PaletteProps) => (
  <Modal
    opened={isOpen}
    onClose={onClose}
    title={strings.title}
    size="lg"
    closeButtonProps={{ 'aria-label': strings.close }}
    // Appears at once, and is gone before the next page is drawn.
    transitionProps={{ duration: 0 }}
  >
    <Search onClose={onClose} takeEarly={takeEarly} />
  </Modal>
)

const typingMs = 150

/** A combobox: the focus stays in the field, and the arrow keys move the active option. */
function Search({ onClose, takeEarly }: Omit<PaletteProps, 'isOpen'>) {
  const id = useId()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), typingMs)
  const { groups, isSearching, isFailed } = useChoices(search)
  const choices = groups.flatMap((group) => group.choices)
  // Results that arrive later do not move the choice of the user.
  const [movedTo, setMovedTo] = useState<string>()
  const at = Math.max(
    choices.findIndex((choice) => choice.id === movedTo),
    0,
  )
  const active = choices[at]
  const elementOf = (choice: Choice) => `${id}-${choice.id}`
  useEffect(() => {
    if (active) document.getElementById(`${id}-${active.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [active, id])
  const choose = (choice: Choice) => {
    onClose()
    choice.run()
  }
  // Enter may come before the search has begun. It chooses what the search finds then.
  const isEntered = useRef(false)
  const chooseEntered = () => {
    if (!isEntered.current || !active || text.trim() !== search) return
    isEntered.current = false
    choose(active)
  }
  useEffect(chooseEntered)
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys that confirm a composed character are not commands.
    if (event.nativeEvent.isComposing) return
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }
    const step = steps[event.key]
    if (event.key === 'Enter') isEntered.current = true
    chooseEntered()
    if (step !== undefined) setMovedTo(choices[moved(at, step, choices.length)]?.id)
    if (step !== undefined || event.key === 'Enter') event.preventDefault()
  }
  const isEmpty = choices.length === 0
  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={strings.input}
        placeholder={strings.input}
        aria-expanded={!isEmpty}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active && elementOf(active)}
        autoComplete="off"
        leftSection={<Icon name="search" />}
        value={text}
        onFocus={() => {
          const typed = takeEarly()
          if (typed !== '') setText((later) => typed + later)
        }}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setMovedTo(undefined)
          isEntered.current = false
        }}
        onKeyDown={onKeyDown}
      />
      <VisuallyHidden role="status">
        {isSearching ? strings.searching : strings.results(choices.length)}
      </VisuallyHidden>
      {isFailed && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mt="sm">
          {strings.notSearched}
        </Text>
      )}
      {isEmpty && !isSearching && (
        <Text c="dimmed" mt="md">
          {strings.none(search)}
        </Text>
      )}
      <div role="listbox" id={`${id}-list`} aria-label={strings.title} className={classes.list}>
        {groups.map(({ title, choices: some }) => (
          <Box key={title} role="group" aria-labelledby={`${id}-${title}`}>
            <Text id={`${id}-${title}`} size="xs" fw={600} c="dimmed" px="sm" pt="sm" pb={4}>
              {title}
            </Text>
            {some.map((choice) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which has the focus
              <div
                key={choice.id}
                id={elementOf(choice)}
                role="option"
                tabIndex={-1}
                aria-selected={choice === active}
                className={classes.option}
                onClick={() => choose(choice)}
              >
                <Icon name={choice.icon} />
                <span className={classes.label}>{choice.label}</span>
                {choice.hint && <span className={classes.hint}>{choice.hint}</span>}
              </div>
            ))}
          </Box>
        ))}
      </div>
    </>
  )
}

/** The next place. One step leads from the end to the beginning, and back; several stop there. */
function moved(at: number, step: number, count: number): number {
  if (count === 0) return 0
  if (Math.abs(step) === 1) return (at + step + count) % count
  return Math.max(0, Math.min(count - 1, at + step))
}
