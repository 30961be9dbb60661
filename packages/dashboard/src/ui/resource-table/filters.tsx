import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { Field } from '@zoetrope/contract'
import type { Words } from '@zoetrope/contract/words/field-words'
import { optionLabel, wordsFor } from '../field-words.js'
import { Icon } from '../icons.js'
import { strings } from '../strings.js'
import type { ListState } from './use-resource-list.js'

interface Option {
  readonly value: string
  readonly label: string
}

/** The options of a filter, if there are only a few. */
function optionsOf(field: Field, words: Words, name: string): readonly Option[] | undefined {
  if (field.kind === 'flag')
    return [
      { value: 'true', label: strings.yes },
      { value: 'false', label: strings.no },
    ]
  if (field.kind === 'choice')
    return field.options.map((option) => ({ value: String(option), label: optionLabel(words, name, option) }))
  return undefined
}

interface FiltersProps<T> {
  readonly list: ListState<T>
  /** The fields to filter by. */
  readonly fields: readonly string[]
  readonly words: Words
}

/** Inputs for the filters that the definition allows. */
export function Filters<T>({ list, fields, words }: FiltersProps<T>) {
  return (
    <>
      {fields.map((name) => {
        const field = list.resource.fields[name]
        if (!field) return null
        const parameter = field.filterAs?.[0] ?? name
        const { label } = wordsFor(words, name)
        const value = String(list.asked[parameter] ?? '')
        const ask = (next: string) => list.ask({ [parameter]: asValue(field, next) })
        const options = optionsOf(field, words, name)
        return options ? (
          <NativeSelect
            key={name}
            aria-label={label}
            data={[
              { value: '', label: `${label}: ${strings.any}` },
              ...options.map((option) => ({ ...option, label: `${label}: ${option.label}` })),
            ]}
            value={value}
            onChange={(event) => ask(event.currentTarget.value)}
          />
        ) : (
          <TextInput
            // Resets the input when the filter is cleared.
            key={`${name} ${value}`}
            aria-label={label}
            placeholder={label}
            defaultValue={value}
            onBlur={(event) => ask(event.currentTarget.value.trim())}
            onKeyDown={(event) => {
              if (event.key === 'Enter') ask(event.currentTarget.value.trim())
            }}
          />
        )
      })}
      {list.isNarrowed && (
        <Button variant="subtle" leftSection={<Icon name="close" size={14} />} onClick={list.clear}>
          {strings.clearFilters}
        </Button>
      )}
    </>
  )
}

function asValue(field: Field, text: string): unknown {
  if (text === '') return undefined
  return field.kind === 'flag' ? text === 'true' : text
}
