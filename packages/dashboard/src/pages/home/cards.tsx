import { Anchor, Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Overview, SomeVideos } from '@zoetrope/sdk'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { DayChart, Figure } from '../../ui/day-chart.js'
import { Icon } from '../../ui/icons.js'
import { sayFailed } from '../../ui/notices.js'
import { bytes, span, whole } from '../../ui/numbers.js'
import { Section } from '../../ui/section.js'
import { strings } from './strings.js'

const kinds = ['failed', 'waiting', 'expiring'] as const

/** Videos that need attention, or that are still being processed. */
export function Attention({ attention }: Pick<Overview, 'attention'>) {
  const shown = kinds.filter((kind) => attention[kind].count > 0)
  return (
    <Section isCard title={strings.attention}>
      {shown.length === 0 && <Text c="dimmed">{strings.attentionNone}</Text>}
      <Stack gap="sm">
        {shown.map((kind) => (
          <Some key={kind} title={strings[kind](attention[kind].count)} some={attention[kind]} />
        ))}
      </Stack>
    </Section>
  )
}

const Some = ({ title, some }: { readonly title: string; readonly some: SomeVideos }) => (
  <div>
    <Text fw={600} size="sm">
      {title}
    </Text>
    {some.videos.map(({ _id, title: name, status_reason }) => (
      <div key={_id}>
        <Anchor component={Link} to={`/videos/${_id}`} display="block" size="sm" truncate>
          {name}
        </Anchor>
        {status_reason && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {status_reason}
          </Text>
        )}
      </div>
    ))}
  </div>
)

type Played = Pick<Overview, 'plays'>

/** Plays of the last 28 days, one bar per day, with the totals of the last 7 and 28 days. */
export const Plays = ({ plays: { by_day, last_7_days, last_28_days } }: Played) => (
  <Section isCard title={strings.plays}>
    <Figure value={whole(last_7_days.plays)} label={strings.playsWeek} />
    <DayChart
      label={strings.chart(last_28_days.plays)}
      days={by_day.map(({ date, plays: value }) => ({ date, value, label: strings.onDay(date, value) }))}
    />
  </Section>
)

/** The same for the time watched. */
export const WatchTime = ({ plays: { by_day, last_7_days, last_28_days } }: Played) => (
  <Section isCard title={strings.watchTime}>
    <Figure value={span(last_7_days.watched_seconds)} label={strings.watchedWeek} />
    <DayChart
      label={strings.watchChart(span(last_28_days.watched_seconds))}
      days={by_day.map(({ date, watched_seconds: value }) => ({
        date,
        value,
        label: strings.watchedOn(date, span(value)),
      }))}
    />
  </Section>
)

/** The storage that the channel uses, and what is being encoded. */
export const Storage = ({ storage, encoding }: Pick<Overview, 'storage' | 'encoding'>) => (
  <Section isCard title={strings.storage}>
    <Stack gap="xs">
      <Text>{strings.stored(bytes(storage.bytes + storage.made_bytes))}</Text>
      <div>
        <Text size="sm">{strings.originals(bytes(storage.bytes))}</Text>
        <Text size="sm">{strings.formats(bytes(storage.made_bytes))}</Text>
      </div>
      {storage.limit_bytes !== null && (
        <>
          <Progress value={(storage.bytes / storage.limit_bytes) * 100} aria-label={strings.storage} />
          <Text size="sm">{strings.usedOf(bytes(storage.bytes), bytes(storage.limit_bytes))}</Text>
        </>
      )}
      <Text c="dimmed" size="sm">
        {strings.encoding(encoding.count)}
      </Text>
    </Stack>
  </Section>
)

/** The first steps of a new channel. */
export function FirstSteps() {
  const { mayEdit, publisher } = useSession()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const sample = useMutation({
    mutationFn: () => publisher.makeSample(),
    // Not awaited: this card disappears once there is a video.
    onSuccess: () => void queries.invalidateQueries({ queryKey: keyOf('videos') }),
    onError: (error) => sayFailed(strings.first.sampleFailed, error),
  })
  // If the user has opened another page meanwhile, they stay there.
  const make = () =>
    sample.mutate(undefined, { onSuccess: ({ _id }) => void navigate({ to: `/videos/${_id}` }) })
  return (
    <Section isCard title={strings.first.title}>
      <Text c="dimmed" mb="md">
        {strings.first.about}
      </Text>
      <List type="ordered" spacing="md">
        {strings.first.steps.map(({ title, about }) => (
          <List.Item key={title}>
            <Text fw={600}>{title}</Text>
            <Text c="dimmed" size="sm">
              {about}
            </Text>
          </List.Item>
        ))}
      </List>
      {mayEdit && (
        <Group mt="lg">
          <Button
            renderRoot={(props) => <Link to="/upload" {...props} />}
            leftSection={<Icon name="upload" />}
          >
            {strings.first.begin}
          </Button>
          <Button variant="default" loading={sample.isPending} onClick={make}>
            {strings.first.sample}
          </Button>
        </Group>
      )}
    </Section>
  )
}
