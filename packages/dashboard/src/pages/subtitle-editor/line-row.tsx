import { Box, Button, Group, Text } from '@mantine/core'
import { type KeyboardEvent, type MouseEvent, memo, useLayoutEffect, useRef } from 'react'
import { Icon, type IconName } from '../../ui/icons.js'
import classes from './editor.module.css'
import { type LineCommand, type LineField, lineCommand } from './keys.js'
import type { Line } from './line-edits.js'
import type { LineProblem } from './line-problems.js'
import { strings } from './strings.js'
import { TimeField } from './time-field.js'
import type { FocusTarget, LineCommands } from './use-commands.js'

interface LineRowProps {
  readonly line: Line
  readonly number: number
  readonly isCurrent: boolean
  readonly isActive: boolean
  readonly isMatch: boolean
  readonly isSelected: boolean
  /** For the spelling checker. */
  readonly language: string
  readonly isReadOnly: boolean
  readonly isLast: boolean
  readonly problems: readonly LineProblem[] | undefined
  /** Set if the focus is to move into this line. */
  readonly focus: FocusTarget | undefined
  readonly commands: LineCommands
  onActive(key: number): void
  onSelect(key: number, isRange: boolean): void
}

const buttons: readonly (readonly [LineCommand, IconName, keyof typeof strings.row])[] = [
  ['play', 'play', 'play'],
  ['startNow', 'clock', 'startNow'],
  ['endNow', 'clock', 'endNow'],
  ['split', 'code', 'split'],
  ['join', 'link', 'join'],
  ['add', 'plus', 'add'],
  ['remove', 'trash', 'remove'],
]

/** One line: its times, its text, and what can be done with it while it has the focus. */
export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { line, number, isCurrent, isActive, isMatch, isSelected, isReadOnly, problems, commands } = props
  const row = useRef<HTMLDivElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  useFocus(props.focus, row, text)
  const cursor = () => text.current?.selectionStart ?? line.text.length
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const { field } = (event.target as HTMLElement).dataset as { field?: LineField }
    if (!field) return
    const [from, to] = [cursor(), text.current?.selectionEnd ?? 0]
    const command = lineCommand(event.nativeEvent, { field, text: line.text, from, to })
    if (!command) return
    event.preventDefault()
    commands.run(command, line.key, field, from)
  }
  const isBackwards = problems?.includes('backwards') ?? false
  const time = (field: 'start' | 'end') => (
    <TimeField
      field={field}
      label={strings[field](number)}
      at={line[field]}
      isReadOnly={isReadOnly}
      isWrong={isBackwards}
      onChange={(at) => commands.setTime(line.key, field, at)}
      onSeek={commands.seek}
    />
  )
  return (
    <Box
      ref={row}
      className={classes.line}
      role="group"
      aria-label={strings.line(number)}
      aria-current={isCurrent || undefined}
      data-key={line.key}
      data-match={isMatch || undefined}
      onKeyDown={onKeyDown}
      onFocus={() => props.onActive(line.key)}
    >
      <div className={classes.number}>
        {!isReadOnly && (
          <input
            type="checkbox"
            aria-label={strings.select(number)}
            checked={isSelected}
            onChange={() => undefined}
            onClick={(event: MouseEvent) => props.onSelect(line.key, event.shiftKey)}
          />
        )}
        <span aria-hidden="true">{number}</span>
      </div>
      <div className={classes.times}>
        {time('start')}
        {time('end')}
      </div>
      <textarea
        ref={text}
        className={classes.text}
        data-field="text"
        lang={props.language}
        dir="auto"
        aria-label={strings.text(number)}
        rows={line.text.split('\n').length}
        readOnly={isReadOnly}
        value={line.text}
        onChange={(event) => commands.setText(line.key, event.currentTarget.value)}
      />
      {problems && (
        <Text className={classes.problems} size="xs" data-serious={isBackwards || undefined}>
          <Icon name="warning" size={12} /> {problems.map((problem) => strings.problems[problem]).join(' · ')}
        </Text>
      )}
      {isActive && !isReadOnly && (
        <Group className={classes.actions} gap={2} role="toolbar" aria-label={strings.row.label(number)}>
          {buttons.map(([command, icon, name]) => (
            <Button
              key={command}
              variant="subtle"
              color={command === 'remove' ? 'red' : 'gray'}
              size="compact-xs"
              tabIndex={-1}
              leftSection={<Icon name={icon} size={12} />}
              disabled={command === 'join' && props.isLast}
              // The text keeps the focus and its cursor.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => commands.run(command, line.key, 'text', cursor())}
            >
              {strings.row[name as Exclude<typeof name, 'label'>]}
            </Button>
          ))}
        </Group>
      )}
    </Box>
  )
})

/** Moves the focus into the line when it is asked for, and shows the line. */
function useFocus(
  focus: FocusTarget | undefined,
  row: { readonly current: HTMLDivElement | null },
  text: { readonly current: HTMLTextAreaElement | null },
): void {
  useLayoutEffect(() => {
    if (!focus) return
    const field = row.current?.querySelector<HTMLElement>(`[data-field=${focus.field}]`)
    field?.focus({ preventScroll: true })
    const end = text.current?.value.length ?? 0
    if (focus.field === 'text') text.current?.setSelectionRange(focus.from ?? end, focus.to ?? end)
    row.current?.scrollIntoView({ block: 'nearest' })
  }, [focus, row, text])
}
