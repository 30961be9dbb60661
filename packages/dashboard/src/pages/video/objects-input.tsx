import { Anchor, MultiSelect, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { type InputProps, shared } from '../../ui/resource-form/input-props.js'
import { strings } from './strings.js'

interface Found {
  readonly _id: string
  readonly title: string | null
  readonly zobject_type_title: string | null
}

const mostTypes = 30
const shownOfEach = 10
const typingMs = 200

/** Objects of every type that can be attached to videos. A list has one type, so there is a request for each. */
function useObjects(search: string) {
  const { client, channel } = useSession()
  const [q] = useDebouncedValue(search, typingMs)
  return useQuery({
    queryKey: keyOf('zobjects', channel._id, 'list', 'of-videos', q),
    queryFn: async ({ signal }) => {
      const types = (await client.zobject_types.list({ per_page: mostTypes }, { signal })).response
      const asked = types.filter((type) => type.videos_enabled && type.zobject_count > 0)
      const query = { active: 'all', per_page: shownOfEach, ...(q ? { q } : {}) } as const
      const lists = await Promise.all(
        asked.map(({ title }) => client.zobjects.list({ ...query, zobject_type: title }, { signal })),
      )
      return { hasAny: asked.length > 0, objects: lists.flatMap(({ response }): Found[] => response) }
    },
    placeholderData: keepPreviousData,
  })
}

/** Groups objects by type, without duplicates. */
function groupsOf(objects: readonly Found[]) {
  const known = new Map(objects.map((object) => [object._id, object]))
  const groups = new Map<string, { value: string; label: string }[]>()
  for (const { _id, title, zobject_type_title } of known.values()) {
    const group = zobject_type_title ?? ''
    groups.set(group, [...(groups.get(group) ?? []), { value: _id, label: title ?? _id }])
  }
  return [...groups].map(([group, items]) => ({ group, items }))
}

/** The objects attached to a video, found by title. */
export const objectsOf = (attached: Video['video_zobjects']) =>
  function Objects(props: InputProps) {
    const value = Array.isArray(props.value) ? props.value.map(String) : []
    const [search, setSearch] = useState('')
    // Chosen objects keep their titles after they have left the search results.
    const [chosen, setChosen] = useState<readonly Found[]>([])
    const found = useObjects(search)
    const objects = [...attached, ...chosen, ...(found.data?.objects ?? [])]
    if (found.data?.hasAny === false && value.length === 0)
      return (
        <Text size="sm" c="dimmed">
          {strings.objects.noTypes}{' '}
          {!props.isDisabled && (
            <Anchor component={Link} to="/zobject-types">
              {strings.objects.make}
            </Anchor>
          )}
        </Text>
      )
    return (
      <MultiSelect
        {...shared(props)}
        description={strings.objects.about}
        data={groupsOf(objects)}
        value={value}
        onChange={(ids) => {
          setChosen(objects.filter(({ _id }) => ids.includes(_id)))
          props.onChange(ids)
        }}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        placeholder={strings.objects.hint}
        nothingFoundMessage={strings.objects.none}
      />
    )
  }
