import { type ComboboxItem, Group, Select, type SelectProps, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { allLanguages, findLanguages, type Language, languageOf } from './languages.js'
import { strings } from './strings.js'

interface LanguagePickerProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** The code of the language. */
  readonly value: string | null
  onChange(code: string | null): void
}

const optionOf = ({ code, name, native }: Language): ComboboxItem => ({
  value: code,
  label: name === native ? name : `${name} · ${native}`,
})

/** The chosen language, even if it is none of the usual ones, and what was typed if it is the code of another. */
function optionsFor(value: string | null, search: string): ComboboxItem[] {
  const all = allLanguages()
  const others = [value, search.trim()].flatMap((code) => {
    const known = code ? languageOf(code) : undefined
    return known && !all.some((each) => each.code === known.code) ? [known] : []
  })
  const listed = [...new Map(others.map((each) => [each.code, each])).values(), ...all].map(optionOf)
  const isListed = !value || listed.some((option) => option.value === value)
  return isListed ? listed : [{ value, label: value }, ...listed]
}

/** Chooses a language by its name in the user's language, in English or in its own, or by its code. */
export function LanguagePicker({ value, onChange, ...rest }: LanguagePickerProps) {
  const [search, setSearch] = useState('')
  const data = useMemo(() => optionsFor(value, search), [value, search])
  return (
    <Select
      placeholder={strings.chooseLanguage}
      {...rest}
      data={data}
      value={value}
      searchable
      selectFirstOptionOnChange
      // Choosing the same language again keeps it.
      allowDeselect={false}
      searchValue={search}
      onSearchChange={setSearch}
      onChange={onChange}
      nothingFoundMessage={strings.noneFound}
      maxDropdownHeight={260}
      filter={({ options, search: text }) => {
        const items = options as ComboboxItem[]
        const order = new Map(findLanguages(text).map(({ code }, at) => [code, at]))
        const typed = languageOf(text.trim())?.code
        const rank = (item: ComboboxItem) => (item.value === typed ? -1 : order.get(item.value))
        return items
          .filter((item) => rank(item) !== undefined)
          .sort((a, b) => (rank(a) ?? 0) - (rank(b) ?? 0))
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
