import { Anchor, Progress, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Overview, SomeVideos } from '@zoetrope/sdk'
import { DayChart, Figure } from '../../ui/day-chart.js'
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

const Week = ({ amount }: { readonly amount: string }) => (
  <Text size="sm" c="dimmed">
    {strings.ofThese(amount)}
  </Text>
)

/** Plays of the last 28 days, one bar per day, and how many of them were in the last 7. */
export const Plays = ({ plays: { by_day, last_7_days, last_28_days } }: Played) => (
  <Section isCard title={strings.plays}>
    <Figure value={whole(last_28_days.plays)} label={strings.playsMonth(last_28_days.plays)} />
    <DayChart
      label={strings.chart(last_28_days.plays)}
      days={by_day.map(({ date, plays: value }) => ({ date, value, label: strings.onDay(date, value) }))}
    />
    <Week amount={whole(last_7_days.plays)} />
  </Section>
)

/** The same for the time watched. */
export const WatchTime = ({ plays: { by_day, last_7_days, last_28_days } }: Played) => (
  <Section isCard title={strings.watchTime}>
    <Figure value={span(last_28_days.watched_seconds)} label={strings.watchedMonth} />
    <DayChart
      label={strings.watchChart(span(last_28_days.watched_seconds))}
      days={by_day.map(({ date, watched_seconds: value }) => ({
        date,
        value,
        label: strings.watchedOn(date, span(value)),
      }))}
    />
    <Week amount={span(last_7_days.watched_seconds)} />
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
