import { Button, Group, Text } from '@mantine/core'
import { FieldInput } from '../../ui/resource-form/field-input.js'
import type { InputProps } from '../../ui/resource-form/input-props.js'
import { comesFromTitle, type NamedVideo, slugFor } from './slug.js'
import { strings } from './strings.js'

/** The slug, with an offer to update it if only the title has changed. */
export const slugOf = (video: NamedVideo, isVisible: boolean) =>
  function SlugInput(props: InputProps) {
    const { value, values = {}, isDisabled, onChange } = props
    const title = String(values.title ?? '')
    const next = slugFor(video, title)
    const wasMade = comesFromTitle(video, { title: video.title, friendly_title: value })
    const isOffered = !isDisabled && title !== video.title && wasMade && value !== next && isVisible
    return (
      <div>
        <FieldInput {...props} />
        <Text size="xs" c="dimmed" mt={4}>
          {isVisible ? strings.slug.stays : strings.slug.follows}
        </Text>
        {isOffered && (
          <Group gap="xs" mt="xs" role="status">
            <Text size="sm">{strings.slug.changed}</Text>
            <Button size="compact-sm" variant="default" onClick={() => onChange(next)}>
              {strings.slug.use(next)}
            </Button>
          </Group>
        )}
      </div>
    )
  }
