import { Anchor, Button, Group, List, Loader, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Icon } from '../../ui/icons.js'
import { Section } from '../../ui/section.js'
import { stateOf } from '../../ui/video-state.js'
import { strings } from './strings.js'
import type { Sample } from './use-sample.js'

/** The first steps of a new channel. */
export function FirstSteps({ sample }: { readonly sample: Sample }) {
  const { mayEdit } = useSession()
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
        <Stack mt="lg">
          <Group>
            <Button
              renderRoot={(props) => <Link to="/upload" {...props} />}
              leftSection={<Icon name="upload" />}
            >
              {strings.first.begin}
            </Button>
            <Button variant="default" disabled={sample.isUnderWay} onClick={sample.make}>
              {strings.first.sample}
            </Button>
          </Group>
          <Text c="dimmed" size="sm">
            {strings.first.sampleAbout}
          </Text>
          <div role="status">{sample.isUnderWay && <SampleStatus video={sample.video} />}</div>
        </Stack>
      )}
    </Section>
  )
}

/** How far the sample is, in the words that every upload has. */
function SampleStatus({ video }: { readonly video: Video | undefined }) {
  if (video?.status === 'failed')
    return (
      <Text c="var(--mantine-color-error)">
        {[stateOf(video).words, video.status_reason].filter(Boolean).join(': ')}{' '}
        <Anchor component={Link} to={`/videos/${video._id}`}>
          {strings.first.openSample}
        </Anchor>
      </Text>
    )
  return (
    <Group gap="sm" wrap="nowrap">
      <Loader size="sm" aria-hidden />
      <div>
        <Text fw={600}>{video ? stateOf(video).words : strings.first.making}</Text>
        <Text c="dimmed" size="sm">
          {video
            ? strings.first.made(video.segments.length, video.renditions.length)
            : strings.first.makingAbout}
        </Text>
      </div>
    </Group>
  )
}
