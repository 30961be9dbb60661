import { type ComboboxItem, Group, MultiSelect, type MultiSelectProps, Text } from '@mantine/core'
import { useMemo } from 'react'
import { allCountries, findCountries } from './countries.js'
import { type InputProps, shared } from './resource-form/input-props.js'
import { strings } from './strings.js'

interface CountryPickerProps extends Omit<MultiSelectProps, 'data' | 'value' | 'onChange'> {
  /** The codes of the countries. */
  readonly value: readonly string[]
  onChange(codes: string[]): void
}

/** Countries that were saved in another form, such as DEU, stay as they are. */
function optionsFor(chosen: readonly string[]): ComboboxItem[] {
  const known = allCountries().map(({ code, name }) => ({ value: code, label: name }))
  const others = chosen.filter((code) => !known.some(({ value }) => value === code))
  return [...others.map((code) => ({ value: code, label: code })), ...known]
}

/** Chooses countries by name, or by code. */
export function CountryPicker({ value, onChange, ...rest }: CountryPickerProps) {
  const data = useMemo(() => optionsFor(value), [value])
  return (
    <MultiSelect
      placeholder={strings.chooseCountries}
      {...rest}
      data={data}
      value={[...value]}
      onChange={onChange}
      searchable
      clearable
      hidePickedOptions
      selectFirstOptionOnChange
      nothingFoundMessage={strings.noneFound}
      maxDropdownHeight={260}
      filter={({ options, search }) => {
        const order = new Map(findCountries(search).map((code, at) => [code, at]))
        return (options as ComboboxItem[])
          .filter((item) => search.trim() === '' || order.has(item.value))
          .sort((a, b) => (order.get(a.value) ?? 0) - (order.get(b.value) ?? 0))
      }}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" flex={1}>
          <Text size="sm" truncate>
            {option.label}
          </Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {option.value}
          </Text>
        </Group>
      )}
    />
  )
}

/** A field that is a list of countries. */
export const CountriesField = (props: InputProps) => (
  <CountryPicker
    {...shared(props)}
    value={Array.isArray(props.value) ? props.value.map(String) : []}
    onChange={props.onChange}
  />
)
