import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { sayDone } from '../../ui/notices.js'
import { type Line, type Lines, shiftLimits, shiftLines } from './line-edits.js'
import { strings } from './strings.js'

interface ShiftPanelProps {
  readonly lines: Lines
  readonly active: number | undefined
  readonly selected: ReadonlySet<number>
  change(edit: (lines: Lines) => Lines): void
}

type Which = 'all' | 'onwards' | 'selected'

/** Shifts all lines, those from the active one on, or the selected ones. */
export function ShiftPanel({ lines, active, selected, change }: ShiftPanelProps) {
  const [typed, setTyped] = useState('1')
  const [asked, setAsked] = useState<Which>(selected.size > 0 ? 'selected' : 'all')
  const from = lines.findIndex(({ key }) => key === active)
  const options = [
    { value: 'all', label: strings.shifting.all },
    ...(from >= 0 ? [{ value: 'onwards', label: strings.shifting.onwards(from + 1) }] : []),
    ...(selected.size > 0 ? [{ value: 'selected', label: strings.shifting.selected(selected.size) }] : []),
  ]
  const which = options.some(({ value }) => value === asked) ? asked : 'all'
  const after = new Set(lines.slice(Math.max(0, from)).map(({ key }) => key))
  const isIncluded = ({ key }: Line) =>
    which === 'all' || (which === 'onwards' ? after.has(key) : selected.has(key))
  const included = lines.filter(isIncluded)
  const seconds = Number(typed.replace(',', '.'))
  const by = Math.round(seconds * 1000)
  const isNumber = typed.trim() !== '' && Number.isFinite(seconds) && seconds > 0
  const isTooEarly = isNumber && -by < shiftLimits(included).least
  const shift = (step: number) => {
    change((now) => shiftLines(now, step, isIncluded))
    sayDone(strings.shifting.shifted(included.length))
  }
  return (
    <Stack gap="xs" role="group" aria-label={strings.shift}>
      <Group gap="xs" align="flex-start">
        <TextInput
          w="6rem"
          label={strings.shifting.seconds}
          inputMode="decimal"
          value={typed}
          error={isNumber ? undefined : strings.shifting.noNumber}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <NativeSelect
          flex="1 1 10rem"
          label={strings.shifting.which}
          data={options}
          value={which}
          onChange={(event) => setAsked(event.currentTarget.value as Which)}
        />
      </Group>
      <Group gap="xs">
        <Button
          variant="default"
          disabled={!isNumber || isTooEarly}
          title={isTooEarly ? strings.shifting.atStart : undefined}
          onClick={() => shift(-by)}
        >
          {strings.shifting.earlier}
        </Button>
        <Button variant="default" disabled={!isNumber} onClick={() => shift(by)}>
          {strings.shifting.later}
        </Button>
      </Group>
    </Stack>
  )
}
