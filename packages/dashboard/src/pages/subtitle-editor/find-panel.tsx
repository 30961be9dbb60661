import { ActionIcon, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Icon } from '../../ui/icons.js'
import { sayDone } from '../../ui/notices.js'
import { type Match, matchesIn, replaceAll, replaceOne, type Search } from './find-replace.js'
import type { Lines } from './line-edits.js'
import { strings } from './strings.js'

interface FindPanelProps {
  readonly lines: Lines
  readonly search: Search
  readonly matches: readonly Match[]
  /** The index of the chosen match. */
  readonly at: number
  readonly isReadOnly: boolean
  /** Changes when the shortcut is pressed again. */
  readonly asked: number
  onSearch(search: Search): void
  onMove(at: number): void
  change(edit: (lines: Lines) => Lines): void
  onClose(): void
}

/** Finds texts in all lines, and replaces them one by one or all at once. */
export function FindPanel(props: FindPanelProps) {
  const { lines, search, matches, at, isReadOnly, asked, onSearch, onMove, change, onClose } = props
  const [by, setBy] = useState('')
  const input = useRef<HTMLInputElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asking again moves the focus back
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [asked])
  const match = matches[at]
  const move = (step: number) => matches.length > 0 && onMove((at + step + matches.length) % matches.length)
  const replace = () => {
    if (!match) return
    const next = replaceOne(lines, match, by)
    change(() => next)
    // The next match is the first one after the new text, also if that contains what is searched for.
    const order = new Map(next.map(({ key }, index) => [key, index]))
    const line = order.get(match.key) ?? 0
    const found = matchesIn(next, search).findIndex(({ key, from }) => {
      const other = order.get(key) ?? 0
      return other > line || (other === line && from >= match.from + by.length)
    })
    onMove(Math.max(0, found))
  }
  const replaceEvery = () => {
    change((now) => replaceAll(now, search, by))
    sayDone(strings.finding.replaced(matches.length))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return onClose()
    const { dataset, tagName } = event.target as HTMLElement
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || tagName !== 'INPUT') return
    event.preventDefault()
    if (dataset.replace !== undefined) replace()
    else move(event.shiftKey ? -1 : 1)
  }
  const told = matches.length === 0 ? strings.finding.none : strings.finding.position(at + 1, matches.length)
  return (
    <Stack gap="xs" role="search" aria-label={strings.find} onKeyDown={onKeyDown}>
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <TextInput
          flex={1}
          size="sm"
          label={strings.finding.find}
          value={search.find}
          ref={input}
          onChange={(event) => onSearch({ ...search, find: event.currentTarget.value })}
        />
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={strings.finding.previous}
          disabled={matches.length === 0}
          onClick={() => move(-1)}
        >
          <Icon name="up" size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={strings.finding.next}
          disabled={matches.length === 0}
          onClick={() => move(1)}
        >
          <Icon name="down" size={16} />
        </ActionIcon>
      </Group>
      <Group gap="md">
        <Checkbox
          label={strings.finding.matchCase}
          checked={search.isCaseMatched}
          onChange={(event) => onSearch({ ...search, isCaseMatched: event.currentTarget.checked })}
        />
        <Text size="sm" c="dimmed" role="status">
          {search.find === '' ? '' : told}
        </Text>
      </Group>
      {!isReadOnly && (
        <Group gap="xs" align="flex-end">
          <TextInput
            flex="1 1 8rem"
            size="sm"
            label={strings.finding.replace}
            value={by}
            data-replace
            onChange={(event) => setBy(event.currentTarget.value)}
          />
          <Button variant="default" disabled={!match} onClick={replace}>
            {strings.finding.replaceOne}
          </Button>
          <Button variant="default" disabled={!match} onClick={replaceEvery}>
            {strings.finding.replaceAll}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
