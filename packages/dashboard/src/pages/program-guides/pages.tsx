import { Alert, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { catalog } from '@zoetrope/contract'
import { programGuideWords } from '@zoetrope/contract/words/library'
import { keyOf } from '../../data/keys.js'
import { nestedCalls } from '../../data/plain.js'
import { useSession } from '../../data/session.js'
import { ActionButton } from '../../ui/action-button.js'
import { dateAndTime } from '../../ui/numbers.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { Section } from '../../ui/section.js'
import { Loaded } from '../../ui/states.js'
import { strings } from './strings.js'

const programGuides: RecordKind<keyof typeof programGuideWords> = {
  name: 'program_guides',
  resource: catalog.program_guides,
  words: programGuideWords,
  path: '/program-guides',
  icon: 'clock',
  strings,
  titleOf: ({ name }) => String(name),
  columns: ['name', { field: 'status', isOnPhone: true }, 'program_guide_entry_count', 'refreshed_at'],
  filters: ['status'],
  starting: { time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone, language: ['en'] },
  inputs: { video_ids: referenceTo('videos') },
}

export const List = () => <ListPage kind={programGuides} />

export function Record() {
  const { client, mayEdit } = useSession()
  return (
    <RecordPage
      kind={programGuides}
      actions={({ _id }) =>
        mayEdit && (
          <ActionButton
            icon="again"
            run={() => client.program_guides.refresh(_id)}
            done={strings.refreshed}
            failed={strings.notRefreshed}
            stale={[keyOf('program_guides'), keyOf('program_guide_entries')]}
          >
            {strings.refresh}
          </ActionButton>
        )
      }
    >
      {({ _id, status, status_reason }) => (
        <>
          {status === 'failed' && (
            <Alert color="red" variant="light" title={strings.failed}>
              {String(status_reason ?? '')}
            </Alert>
          )}
          <Entries id={_id} />
        </>
      )}
    </RecordPage>
  )
}

/** The current and upcoming entries of a guide. */
function Entries({ id }: { readonly id: string }) {
  const { client, channel } = useSession()
  const query = useQuery({
    queryKey: keyOf('program_guide_entries', channel._id, 'list', id),
    queryFn: ({ signal }) =>
      nestedCalls(client, 'program_guide_entries').list(
        id,
        { 'end_time.gte': new Date().toISOString(), per_page: 12 },
        { signal },
      ),
  })
  return (
    <Section title={strings.entries}>
      <Loaded query={query}>
        {({ response }) =>
          response.length === 0 ? (
            <Text c="dimmed">{strings.noEntries}</Text>
          ) : (
            <Table>
              <Table.Tbody>
                {response.map(({ _id, start_time, title, subtitle }) => (
                  <Table.Tr key={_id}>
                    <Table.Td w="12rem">{dateAndTime(start_time)}</Table.Td>
                    <Table.Td>
                      {title}
                      {subtitle && (
                        <Text size="sm" c="dimmed">
                          {subtitle}
                        </Text>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </Loaded>
    </Section>
  )
}
