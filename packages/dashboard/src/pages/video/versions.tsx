import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { catalog, type Field, limits } from '@zoetrope/contract'
import { videoWords } from '@zoetrope/contract/words/videos'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import type { Entry } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { ActionButton } from '../../ui/action-button.js'
import { Ago } from '../../ui/ago.js'
import { Difference } from '../../ui/difference/difference.js'
import { offerUndo, sayDone, sayFailed } from '../../ui/notices.js'
import { Section } from '../../ui/section.js'
import { Empty, Loaded } from '../../ui/states.js'
import { strings } from './strings.js'
import type { TabProps } from './tab-props.js'
import classes from './video.module.css'

type Version = Entry<'video_versions'>

const fields: Readonly<Record<string, Field>> = catalog.videos.fields
const shownFirst = 20

/** The versions of the video: what was changed, by whom and when. Each can be restored. */
export function Versions({ video, put }: TabProps) {
  const { client, channel } = useSession()
  const queries = useQueryClient()
  const [isWhole, setIsWhole] = useState(false)
  const queryKey = keyOf('video_versions', channel._id, 'list', video._id)
  const list = useQuery({
    queryKey: [...queryKey, video.updated_at],
    queryFn: ({ signal }) =>
      client.video_versions.list(video._id, { per_page: limits.video_versions.value }, { signal }),
    placeholderData: (before) => before,
  })
  const goBackTo = async (number: number) => {
    put(await client.videos.restoreVersion(video._id, { number }))
    await Promise.all(
      [queryKey, keyOf('events')].map((stale) => queries.invalidateQueries({ queryKey: stale })),
    )
  }
  const restore = async (number: number, last: number) => {
    await goBackTo(number)
    offerUndo(strings.history.restored(number), () => {
      goBackTo(last).then(
        () => sayDone(strings.history.undone),
        (error: unknown) => sayFailed(strings.failed, error),
      )
    })
  }
  return (
    <Loaded query={list}>
      {({ response }) =>
        response.length === 0 ? (
          <Empty icon="clock" title={strings.history.empty} about={strings.history.emptyAbout} />
        ) : (
          <Section title={strings.history.title} about={strings.history.about}>
            <Stack component="ol" gap="lg" className={classes.history}>
              {(isWhole ? response : response.slice(0, shownFirst)).map((version, index) => (
                <VersionRow
                  key={version._id}
                  version={version}
                  isNow={index === 0}
                  restore={() => restore(version.number, response[0]?.number ?? version.number)}
                />
              ))}
            </Stack>
            {!isWhole && response.length > shownFirst && (
              <Button variant="subtle" mt="md" onClick={() => setIsWhole(true)}>
                {strings.history.showAll(response.length)}
              </Button>
            )}
          </Section>
        )
      }
    </Loaded>
  )
}

interface VersionRowProps {
  readonly version: Version
  readonly isNow: boolean
  restore(): Promise<void>
}

function VersionRow({ version, isNow, restore }: VersionRowProps) {
  const { mayEdit } = useSession()
  const { number, created_at } = version
  return (
    <li>
      <Group justify="space-between" align="flex-start" gap="xs">
        <div>
          <Group gap="xs">
            <Text fw={600}>{nameOf(version)}</Text>
            {isNow && (
              <Badge variant="default" tt="none" fw={500}>
                {strings.history.now}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {authorOf(version)}
            <Ago at={created_at} />
          </Text>
        </div>
        {mayEdit && !isNow && (
          <ActionButton
            size="xs"
            icon="undo"
            run={restore}
            failed={strings.failed}
            stale={[]}
            aria-label={strings.history.restoreOf(number)}
          >
            {strings.history.restore}
          </ActionButton>
        )}
      </Group>
      {version.fields
        .filter((field) => field !== 'deleted_at')
        .map((field) => (
          <Difference
            key={field}
            name={field}
            field={fields[field]}
            words={videoWords}
            before={version.before[field]}
            after={version.after[field]}
          />
        ))}
    </li>
  )
}

function nameOf({ number, fields, after }: Version): string {
  if (number === 1) return strings.history.made
  if (fields.includes('deleted_at'))
    return after.deleted_at === null ? strings.history.broughtBack : strings.history.deleted
  return strings.history.version(number)
}

function authorOf({ number, caller, author }: Version): string {
  if (author) return `${author} · `
  if (caller) return `${strings.history.callers[caller]} · `
  return number === 1 ? '' : `${strings.history.platform} · `
}
