import { Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { catalog } from '@zoetrope/contract'
import { feedWords } from '@zoetrope/contract/words/library'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import type { Entry } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Copyable } from '../../ui/copyable.js'
import { DialogButton, QuickForm } from '../../ui/form-dialog.js'
import { dateAndTime } from '../../ui/numbers.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { RemoveButton } from '../../ui/remove-button.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { Section } from '../../ui/section.js'
import { Loaded } from '../../ui/states.js'
import { strings as common } from '../../ui/strings.js'
import { strings } from './strings.js'

const feeds: RecordKind<keyof typeof feedWords> = {
  name: 'feeds',
  resource: catalog.feeds,
  words: feedWords,
  path: '/feeds',
  icon: 'out',
  strings,
  titleOf: ({ title }) => String(title ?? strings.unnamed),
  columns: [
    { field: 'title', render: ({ title }) => String(title ?? strings.unnamed) },
    'media',
    { field: 'active', isOnPhone: true },
    'created_at',
  ],
  filters: ['active'],
  starting: { media: 'hls', item_limit: 100, active: true },
  inputs: { playlist_id: referenceTo('playlists') },
}

export const List = () => <ListPage kind={feeds} />

export function Record() {
  const { may } = useSession()
  return <RecordPage kind={feeds}>{({ _id }) => may(['feed_keys', 'list']) && <Keys id={_id} />}</RecordPage>
}

type Key = Entry<'feed_keys'>

/** The keys of the feed, and the URLs to hand out. */
function Keys({ id }: { readonly id: string }) {
  const { client, channel, mayEdit } = useSession()
  const query = useQuery({
    queryKey: keyOf('feed_keys', channel._id, 'list', id),
    queryFn: ({ signal }) => client.feed_keys.list(id, { per_page: 100 }, { signal }),
  })
  return (
    <Section
      title={strings.keys}
      about={strings.keysAbout}
      actions={
        mayEdit && (
          <DialogButton label={strings.newKey} icon="plus">
            {(close) => <NewKey id={id} onMade={close} />}
          </DialogButton>
        )
      }
    >
      <Loaded query={query}>
        {({ response }) =>
          response.length === 0 ? (
            <Text c="dimmed">{strings.noKeys}</Text>
          ) : (
            <Stack gap="xl">
              {response.map((key) => (
                <KeyOfFeed key={key._id} id={id} feedKey={key} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}

function NewKey({ id, onMade }: { readonly id: string; onMade(): void }) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  return (
    <QuickForm
      label={strings.makeKey}
      send={() => client.feed_keys.create(id, name ? { name } : {})}
      onSent={async () => {
        await queries.invalidateQueries({ queryKey: keyOf('feed_keys') })
        onMade()
      }}
    >
      {(problem) => (
        <TextInput
          label={strings.keyName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problem}
          maxLength={255}
          data-autofocus
        />
      )}
    </QuickForm>
  )
}

function KeyOfFeed({ id, feedKey }: { readonly id: string; readonly feedKey: Key }) {
  const { client, mayEdit } = useSession()
  const name = feedKey.name ?? strings.unnamedKey
  const addresses = { mrss: feedKey.mrss_url, rss: feedKey.rss_url, json: feedKey.json_url }
  return (
    <Stack gap="xs" component="section" aria-label={name}>
      <Group justify="space-between">
        <Title order={3} size="h5">
          {name}
        </Title>
        {mayEdit && (
          <RemoveButton
            label={common.remove}
            aria-label={`${common.remove} ${name}`}
            question={strings.removeQuestion(name)}
            about={strings.removeAbout}
            size="xs"
            run={(options) => client.feed_keys.remove(id, feedKey._id, options)}
            done={strings.removed}
            failed={strings.notRemoved}
            stale={[keyOf('feed_keys')]}
          />
        )}
      </Group>
      {feedKey.expires_at && (
        <Text size="sm" c="dimmed">
          {strings.ends(dateAndTime(feedKey.expires_at))}
        </Text>
      )}
      {(['mrss', 'rss', 'json'] as const).map((form) => (
        <Copyable key={form} label={strings[form]} text={String(addresses[form])} />
      ))}
    </Stack>
  )
}
