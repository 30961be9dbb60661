import { Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { limits } from '@zoetrope/contract'
import { useCategories } from '../../data/categories.js'
import { keyOf } from '../../data/keys.js'
import { looseCalls } from '../../data/plain.js'
import { useSession } from '../../data/session.js'
import { Poster } from '../../ui/poster.js'
import type { Values } from '../../ui/resource-form/values.js'
import { Loaded, Waiting } from '../../ui/states.js'
import classes from './playlists.module.css'
import { filterFor, rulesIn } from './rules.js'
import { strings } from './strings.js'

const shownAtOnce = 6

/** The videos that match the rules in the form, saved or not. */
export const rulesPreview = (values: Values) => <RulesPreview values={values} />

function RulesPreview({ values }: { readonly values: Values }) {
  const categories = useCategories()
  return (
    <Stack component="section" gap="xs" mt="md" aria-label={strings.preview}>
      <Title order={3} size="h5">
        {strings.preview}
      </Title>
      <Loaded query={categories} waiting={<Waiting rows={1} />}>
        {({ response }) => {
          const filter = filterFor(rulesIn(values.categories), values.match_type === 'all', response)
          if (filter === undefined) return <Text c="dimmed">{strings.notTold}</Text>
          if (filter === 'none') return <Count count={0} />
          return <Matches asked={{ ...filter, ...orderOf(values.sort_options) }} />
        }}
      </Loaded>
    </Stack>
  )
}

/** The first field of the requested order. By default the newest come first. */
function orderOf(options: unknown): Values {
  const [first] = (Array.isArray(options) ? options : []) as readonly Values[]
  return first?.sort_by ? { sort: first.sort_by, order: first.direction ?? 'asc' } : {}
}

function Matches({ asked }: { readonly asked: Values }) {
  const { client, channel } = useSession()
  const list = (perPage: number, signal: AbortSignal) =>
    looseCalls(client, 'videos').list({ ...asked, active: 'all', per_page: perPage }, { signal })
  const query = useQuery({
    queryKey: keyOf('videos', channel._id, 'list', 'by rules', asked),
    queryFn: async ({ signal }) => {
      const { response, pagination } = await list(shownAtOnce, signal)
      // With one video per page, the number of pages is the number of videos.
      const count = pagination.pages > 1 ? (await list(1, signal)).pagination.pages : response.length
      return { videos: response, count }
    },
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={query} waiting={<Waiting rows={2} />}>
      {({ videos, count }) => (
        <>
          <Count count={count} />
          <ul className={classes.found}>
            {videos.map((video) => (
              <li key={video._id}>
                <Poster video={video} width={240} />
                <Text size="sm" lineClamp={2}>
                  {video.title}
                </Text>
              </li>
            ))}
          </ul>
          {count > videos.length && (
            <Text size="sm" c="dimmed">
              {strings.previewFirst(videos.length)}
            </Text>
          )}
        </>
      )}
    </Loaded>
  )
}

const Count = ({ count }: { readonly count: number }) => (
  <Text aria-live="polite">{strings.matching(count, count >= limits.counted.value)}</Text>
)
