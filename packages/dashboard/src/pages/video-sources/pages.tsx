import { Alert, Anchor, Group, SimpleGrid, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { catalog } from '@zoetrope/contract'
import { videoSourceWords } from '@zoetrope/contract/words/library'
import type { Client } from '@zoetrope/sdk'
import { keyOf } from '../../data/keys.js'
import type { Plain } from '../../data/plain.js'
import type { Entry } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { ActionButton } from '../../ui/action-button.js'
import { sayDone } from '../../ui/notices.js'
import { fromNow, whole } from '../../ui/numbers.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { Section } from '../../ui/section.js'
import { Loaded } from '../../ui/states.js'
import { useNow } from '../../ui/use-now.js'
import { strings } from './strings.js'

const videoSources: RecordKind<keyof typeof videoSourceWords> = {
  name: 'video_sources',
  resource: catalog.video_sources,
  words: videoSourceWords,
  path: '/video-sources',
  icon: 'link',
  strings,
  titleOf: ({ name }) => String(name ?? strings.unnamed),
  columns: [
    { field: 'name', render: ({ name }) => String(name ?? strings.unnamed) },
    { field: 'status', isOnPhone: true },
    'video_count',
    'refreshed_at',
  ],
  filters: ['status'],
  groups: [
    { title: strings.feed, fields: ['url', 'name', 'sync_interval', 'guid'] },
    {
      title: strings.wanted,
      about: strings.wantedAbout,
      fields: ['import_from', 'import_to', 'mrss_category_values'],
    },
    {
      title: strings.after,
      fields: ['auto_add', 'auto_activate', 'category_id', 'sync_video_data_source', 'auto_deactivate'],
    },
  ],
  starting: {
    type: 'mrss',
    sync_interval: 'daily',
    auto_add: true,
    auto_activate: true,
    sync_video_data_source: true,
  },
  inputs: { category_id: referenceTo('categories') },
}

export const List = () => <ListPage kind={videoSources} />

const lookAgainMs = 2000
const longestLooks = 10

export function Record() {
  const { client, mayEdit } = useSession()
  return (
    <RecordPage
      kind={videoSources}
      actions={(source) =>
        mayEdit && (
          <ActionButton
            icon="again"
            run={() => readNow(client, source)}
            failed={strings.notRefreshed}
            stale={[keyOf('video_sources'), keyOf('video_imports')]}
          >
            {strings.refresh}
          </ActionButton>
        )
      }
    >
      {(source) => (
        <>
          <Reading source={source} />
          <Imports id={source._id} />
        </>
      )}
    </RecordPage>
  )
}

/** Reads the feed now, and waits a while for the result. */
async function readNow(client: Client, { _id, refreshed_at }: Plain): Promise<void> {
  await client.video_sources.refresh(_id)
  for (let looks = 0; looks < longestLooks; looks += 1) {
    await new Promise((over) => setTimeout(over, lookAgainMs / 2))
    const now = await client.video_sources.get(_id)
    if (now.refreshed_at !== refreshed_at) return sayDone(strings.refreshed)
  }
  sayDone(strings.soon)
}

/** The result of the last reading. Polls until there is one. */
function Reading({ source }: { readonly source: Plain }) {
  const now = useNow()
  const { client, channel } = useSession()
  useQuery({
    queryKey: keyOf('video_sources', channel._id, 'record', source._id),
    queryFn: ({ signal }) => client.video_sources.get(source._id, { signal }),
    refetchInterval: source.status === 'created' ? lookAgainMs : false,
  })
  if (source.status === 'created')
    return (
      <Alert color="blue" variant="light">
        {strings.waiting}
      </Alert>
    )
  return (
    <Section
      title={strings.reading}
      about={strings.read(fromNow(String(source.refreshed_at), now), fromNow(String(source.refresh_at), now))}
    >
      {source.status === 'failed' && (
        <Alert color="red" variant="light" title={strings.failed} mb="md">
          {String(source.status_reason ?? '')}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 2, sm: 5 }}>
        {Object.entries(strings.counts).map(([field, label]) => (
          <div key={field}>
            <Text size="sm" c="dimmed">
              {label}
            </Text>
            <Text fw={600}>{whole(Number(source[field]))}</Text>
          </div>
        ))}
      </SimpleGrid>
    </Section>
  )
}

type Import = Entry<'video_imports'>
/** An import without a video waits until a publisher adds it. */
const isWaiting = ({ status, video_id }: Import) => status === 'created' && video_id === null
const isGoing = (one: Import) => (one.status === 'created' || one.status === 'downloading') && !isWaiting(one)

function Imports({ id }: { readonly id: string }) {
  const { client, channel } = useSession()
  const query = useQuery({
    queryKey: keyOf('video_imports', channel._id, 'list', id),
    queryFn: ({ signal }) => client.video_imports.list({ video_source_id: id, per_page: 10 }, { signal }),
    refetchInterval: ({ state }) => (state.data?.response.some(isGoing) ? lookAgainMs : false),
  })
  return (
    <Section title={strings.imports}>
      <Loaded query={query}>
        {({ response }) =>
          response.length === 0 ? (
            <Text c="dimmed">{strings.noImports}</Text>
          ) : (
            <Table>
              <Table.Tbody>
                {response.map((one) => (
                  <ImportRow key={one._id} one={one} />
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </Loaded>
    </Section>
  )
}

function ImportRow({ one }: { readonly one: Import }) {
  const { client, mayEdit } = useSession()
  return (
    <Table.Tr>
      <Table.Td>
        {one.video_id ? (
          <Anchor component={Link} to={`/videos/${one.video_id}`}>
            {one.title}
          </Anchor>
        ) : (
          one.title
        )}
        {one.status_reason && (
          <Text size="sm" c="dimmed">
            {one.status_reason}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Group justify="flex-end">
          {isWaiting(one) && mayEdit ? (
            <ActionButton
              size="xs"
              aria-label={`${strings.add} ${one.title}`}
              run={() => client.video_imports.addVideo(one._id)}
              done={strings.added}
              failed={strings.notAdded}
              stale={[keyOf('video_imports'), keyOf('videos')]}
            >
              {strings.add}
            </ActionButton>
          ) : (
            strings.states[one.status]
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}
