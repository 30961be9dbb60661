import { Button, Fieldset, Group, Input, NativeSelect, Select, Stack, TextInput } from '@mantine/core'
import { videoWords } from '@zoetrope/contract/words/videos'
import { memo, useDeferredValue, useState } from 'react'
import { useCategories } from '../../data/categories.js'
import type { Video } from '../../data/records.js'
import { optionLabel } from '../../ui/field-words.js'
import { pickersOf } from '../../ui/resource-form/reference-input.js'
import type { ListState } from '../../ui/resource-table/use-resource-list.js'
import { useAfterPaint } from '../../ui/use-after-paint.js'
import { useStable } from '../../ui/use-stable.js'
import { filterLabel } from './filter-words.js'
import { strings } from './strings.js'

const groups: readonly { readonly title: string; readonly fields: readonly string[] }[] = [
  { title: strings.filterGroups.state, fields: ['status', 'active', 'featured', 'mature_content'] },
  { title: strings.filterGroups.dates, fields: ['published_at', 'created_at', 'enable_at', 'disable_at'] },
  {
    title: strings.filterGroups.place,
    fields: ['categories', 'related_playlist_ids', 'keywords', 'genre', 'parental_guidelines_rating'],
  },
  {
    title: strings.filterGroups.film,
    fields: ['duration', 'season', 'episode', 'series_id', 'source_id', 'live_event', 'on_air'],
  },
  { title: strings.filterGroups.audience, fields: ['request_count', 'rating'] },
  {
    title: strings.filterGroups.access,
    fields: [
      ...['subscription_required', 'pass_required', 'purchase_required', 'rental_required'],
      ...['registration_required', 'redemption_code_required'],
    ],
  },
]

interface PanelProps {
  readonly list: ListState<Video>
  onDone(): void
}

/** Every filter of videos. The list follows each change immediately. */
export function FilterPanel({ list, onDone }: PanelProps) {
  const ask = useStable(list.ask)
  // The first group is drawn at once, and the others follow.
  const isWhole = useDeferredValue(true, false)
  return (
    <Stack>
      {groups.slice(0, isWhole ? undefined : 1).map(({ title, fields }) => (
        <Fieldset key={title} legend={title}>
          <Stack gap="sm">
            {fields.map((name) => (
              <FilterInput key={name} list={{ ...list, ask }} name={name} />
            ))}
          </Stack>
        </Fieldset>
      ))}
      <Group justify="space-between">
        <Button variant="default" onClick={list.clear}>
          {strings.clearFilters}
        </Button>
        <Button onClick={onDone}>{strings.showFound}</Button>
      </Group>
    </Stack>
  )
}

interface FilterProps {
  readonly list: ListState<Video>
  readonly name: string
}

const playlistParameter = 'playlist_id.inclusive'

/** The parameters of the list that a filter sets. */
function parametersOf(name: string): readonly string[] {
  if (name === 'categories') return ['category']
  if (name === 'related_playlist_ids') return [playlistParameter]
  return [name, `${name}.gte`, `${name}.lte`]
}

const setBy = ({ list, name }: FilterProps) =>
  JSON.stringify(parametersOf(name).map((each) => list.asked[each]))

/** Redraws only when its own filter changes. */
const FilterInput = memo(AnyFilter, (before, after) => setBy(before) === setBy(after))

function AnyFilter(props: FilterProps) {
  const field = props.list.resource.fields[props.name]
  if (props.name === 'categories') return <CategoryFilter list={props.list} />
  if (props.name === 'related_playlist_ids') return <PlaylistFilter list={props.list} />
  if (field?.kind === 'timestamp') return <DateFilter {...props} />
  if (field?.kind === 'integer' || field?.kind === 'number') return <NumberFilter {...props} />
  if (field?.kind === 'flag')
    return (
      <ChoiceFilter {...props} options={[['true', strings.yes] as const, ['false', strings.no] as const]} />
    )
  if (field?.kind === 'choice')
    return (
      <ChoiceFilter
        {...props}
        options={field.options
          .map(String)
          .filter(isHere)
          .map((each) => [each, optionLabel(videoWords, props.name, each)])}
      />
    )
  return <TextFilter {...props} />
}

/** Deleted videos are in the trash, not in this list. */
const isHere = (option: string) => option !== 'deleted'

interface ChoiceProps extends FilterProps {
  readonly options: readonly (readonly [string, string])[]
}

function ChoiceFilter({ list, name, options }: ChoiceProps) {
  const asked = String(list.asked[name] ?? '')
  const [shown, setShown] = useState({ asked, value: asked })
  // The filter was changed elsewhere.
  if (shown.asked !== asked) setShown({ asked, value: asked })
  const afterPaint = useAfterPaint()
  return (
    <NativeSelect
      label={filterLabel(name)}
      data={[{ value: '', label: strings.any }, ...options.map(([value, label]) => ({ value, label }))]}
      value={shown.value}
      onChange={({ currentTarget: { value } }) => {
        setShown({ asked, value })
        // Drawing the list takes longer than showing the choice.
        afterPaint(() => list.ask({ [name]: asTyped(value) }))
      }}
    />
  )
}

const asTyped = (value: string) => (value === 'true' ? true : value === 'false' ? false : value)

const TextFilter = ({ list, name }: FilterProps) => (
  <TextInput
    // Resets the input when the filter is removed elsewhere.
    key={String(list.asked[name] ?? '')}
    label={filterLabel(name)}
    defaultValue={String(list.asked[name] ?? '')}
    onBlur={({ currentTarget: { value } }) => list.ask({ [name]: value.trim() })}
    onKeyDown={({ key, currentTarget: { value } }) => {
      if (key === 'Enter') list.ask({ [name]: value.trim() })
    }}
  />
)

interface RangeProps extends FilterProps {
  readonly type: 'date' | 'number'
  readonly unit?: string
  /** How a bound is shown and sent. The upper bound includes the whole day. */
  readonly shown: (value: unknown) => string
  readonly asked: (text: string, isEnd: boolean) => unknown
}

const RangeFilter = ({ list, name, type, unit, shown, asked }: RangeProps) => {
  const label = unit ? `${filterLabel(name)} (${unit})` : filterLabel(name)
  const bound = (parameter: string, word: string, isEnd: boolean) => (
    <TextInput
      key={String(list.asked[parameter] ?? '')}
      type={type}
      aria-label={`${label}: ${word}`}
      placeholder={word}
      leftSection={type === 'date' ? undefined : isEnd ? '≤' : '≥'}
      min={type === 'number' ? 0 : undefined}
      defaultValue={list.asked[parameter] === undefined ? '' : shown(list.asked[parameter])}
      onBlur={({ currentTarget: { value } }) =>
        list.ask({ [parameter]: value === '' ? undefined : asked(value, isEnd) })
      }
      flex="1 1 8rem"
    />
  )
  return (
    <div>
      <Input.Label>{label}</Input.Label>
      <Group gap="xs" grow preventGrowOverflow={false}>
        {bound(`${name}.gte`, strings.from, false)}
        {bound(`${name}.lte`, strings.until, true)}
      </Group>
    </div>
  )
}

const localDay = (value: unknown) => {
  const date = new Date(String(value))
  if (Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

const DateFilter = (props: FilterProps) => (
  <RangeFilter
    {...props}
    type="date"
    shown={localDay}
    asked={(day, isEnd) => {
      const date = new Date(`${day}T${isEnd ? '23:59:59.999' : '00:00:00'}`)
      return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
    }}
  />
)

const minute = 60

function NumberFilter(props: FilterProps) {
  const scale = props.name === 'duration' ? minute : 1
  return (
    <RangeFilter
      {...props}
      type="number"
      {...(scale === minute ? { unit: strings.minutes } : {})}
      shown={(value) => String(Number(value) / scale)}
      asked={(text) => Math.round(Number(text) * scale * 100) / 100}
    />
  )
}

const { One: PlaylistInput } = pickersOf('playlists')
const textOrNull = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)

const PlaylistFilter = ({ list }: Pick<FilterProps, 'list'>) => (
  <PlaylistInput
    name={playlistParameter}
    label={strings.fields.related_playlist_ids}
    description={strings.playlistAbout}
    value={textOrNull(list.asked[playlistParameter])}
    clearable
    onChange={(value) => list.ask({ [playlistParameter]: value ?? undefined })}
  />
)

function CategoryFilter({ list }: Pick<FilterProps, 'list'>) {
  const categories = useCategories()
  const [[title, value] = []] = Object.entries((list.asked.category ?? {}) as Record<string, string>)
  const [chosen, setChosen] = useState(title ?? '')
  const known = categories.data?.response ?? []
  const values = known.find((each) => each.title === (title ?? chosen))?.values ?? []
  return (
    <Group gap="xs" grow preventGrowOverflow={false} align="flex-end">
      <NativeSelect
        label={filterLabel('categories')}
        data={[{ value: '', label: strings.any }, ...known.map((each) => each.title)]}
        value={title ?? chosen}
        onChange={({ currentTarget }) => {
          setChosen(currentTarget.value)
          list.ask({ category: undefined })
        }}
      />
      <Select
        label={strings.categoryValue}
        data={[...new Set(values)]}
        value={value ?? null}
        disabled={values.length === 0}
        searchable
        clearable
        onChange={(next) => list.ask({ category: next ? { [title ?? chosen]: next } : undefined })}
      />
    </Group>
  )
}
