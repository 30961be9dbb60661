import { Badge, Progress, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Entry } from '../../data/records.js'
import { bytes, span } from '../../ui/numbers.js'
import { strings } from './strings.js'

export type Costs = Entry<'format_costs'>
export type Cost = Costs['formats'][number]

/** The storage that a format uses or would use. */
export function StorageCost({ cost }: { readonly cost: Cost }) {
  if (!cost.on) return <StorageOff cost={cost} />
  if (cost.bytes_per_hour === null)
    return <Estimated first={strings.aboutPerHour(bytes(cost.estimated_bytes_per_hour))} />
  return (
    <Measured
      first={`${bytes(cost.bytes)} · ${strings.percent(cost.share)}`}
      percent={cost.share * 100}
      second={`${strings.films(cost.films)} · ${strings.perHour(bytes(cost.bytes_per_hour))}`}
    />
  )
}

/** The storage of a format that is off: what is still stored, and what turning it on would need. */
function StorageOff({ cost }: { readonly cost: Cost }) {
  const kept = cost.bytes > 0 ? strings.stillStored(bytes(cost.bytes)) : undefined
  if (cost.estimated_films > 0)
    return (
      <Estimated
        first={strings.aboutBytes(bytes(cost.estimated_bytes), cost.estimated_films)}
        second={kept}
      />
    )
  if (!kept) return <Quiet>{strings.nothingToMake}</Quiet>
  return (
    <Stack gap={4}>
      <Text size="sm">{kept}</Text>
      <Quiet>{strings.backForNothing}</Quiet>
    </Stack>
  )
}

interface EncodingCostProps {
  readonly cost: Cost
  readonly slowest: number
}

/** The time that encoding took or would take. */
export function EncodingCost({ cost, slowest }: EncodingCostProps) {
  const { encoding_seconds_per_minute: perMinute, estimated_encoding_seconds: estimated } = cost
  if (!cost.on && estimated !== null && estimated > 0)
    return <Estimated first={strings.aboutTime(span(estimated))} />
  if (perMinute === null) return <Quiet>{strings.notMeasured}</Quiet>
  return (
    <Measured
      first={strings.perMinute(span(perMinute))}
      percent={(perMinute / slowest) * 100}
      second={strings.inAll(span(cost.encoding_seconds))}
    />
  )
}

const Quiet = ({ children }: { readonly children: ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)

interface SaidProps {
  readonly first: string
  readonly second?: string | undefined
}

const Measured = ({ first, second, percent }: SaidProps & { readonly percent: number }) => (
  <Stack gap={4} miw="9rem">
    <Text size="sm">{first}</Text>
    {/* What it shows stands above it. */}
    <Progress value={percent} size="sm" aria-hidden />
    <Quiet>{second}</Quiet>
  </Stack>
)

const Estimated = ({ first, second }: SaidProps) => (
  <Stack gap={4} align="flex-start">
    <Text size="sm">{first}</Text>
    {second && <Quiet>{second}</Quiet>}
    <Badge variant="default" size="sm">
      {strings.estimate}
    </Badge>
  </Stack>
)
