import { Alert, ColorSwatch, Group, Progress, Stack, Text } from '@mantine/core'
import { Icon } from '../../ui/icons.js'
import { bytes, span } from '../../ui/numbers.js'
import { Section } from '../../ui/section.js'
import type { Costs } from './costs.js'
import { strings } from './strings.js'

/** The storage that the channel's films use, in total and by kind. */
export function Stored({ costs }: { readonly costs: Costs }) {
  if (costs.films === 0)
    return (
      <Alert variant="light" title={strings.emptyTitle} icon={<Icon name="film" />}>
        {strings.emptyAbout}
      </Alert>
    )
  const all = costs.source_bytes + costs.made_bytes
  const parts = partsOf(costs).filter((part) => part.size > 0)
  return (
    <Section
      title={strings.stored}
      about={strings.storedAbout(
        bytes(all),
        bytes(costs.source_bytes),
        bytes(costs.made_bytes),
        costs.films,
        span(costs.film_seconds),
      )}
    >
      <Stack gap="sm">
        <Progress.Root size="xl" aria-hidden>
          {parts.map(({ name, size, color }) => (
            <Progress.Section key={name} value={(size / all) * 100} color={color} />
          ))}
        </Progress.Root>
        <Group gap="md">
          {parts.map(({ name, size, color }) => (
            <Group key={name} gap={6} wrap="nowrap">
              <ColorSwatch color={`var(--mantine-color-${color}-filled)`} size={12} aria-hidden />
              <Text size="sm">{strings.part(name, bytes(size), strings.percent(size / all))}</Text>
            </Group>
          ))}
        </Group>
      </Stack>
    </Section>
  )
}

function partsOf(costs: Costs) {
  const sizeOf = (isHls: boolean) =>
    costs.formats
      .filter(({ format }) => format.startsWith('hls') === isHls)
      .reduce((sum, cost) => sum + cost.bytes, 0)
  const known = sizeOf(true) + sizeOf(false) + costs.sound_bytes
  return [
    { name: strings.originals, size: costs.source_bytes, color: 'gray' },
    { name: strings.hls, size: sizeOf(true), color: 'brand' },
    { name: strings.sound, size: costs.sound_bytes, color: 'grape' },
    { name: strings.files, size: sizeOf(false), color: 'teal' },
    { name: strings.beingMade, size: Math.max(0, costs.made_bytes - known), color: 'yellow' },
  ]
}
