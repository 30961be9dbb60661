import { Anchor, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { keyOf } from '../../data/keys.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { PageLayout } from '../../ui/page.js'
import { Poster } from '../../ui/poster.js'
import { Loaded, Waiting } from '../../ui/states.js'
import { whileUnderWay } from '../../ui/video-state.js'
import { VideoStatus } from '../../ui/video-status.js'
import { Attention, Plays, Storage, WatchTime } from './cards.js'
import { FirstSteps } from './first-steps.js'
import classes from './home.module.css'
import { strings } from './strings.js'
import { useSample } from './use-sample.js'

/** Most visits have none of these, so the first load does not contain their code. */
const Interrupted = lazy(async () => ({
  default: (await import('../../ui/interrupted/interrupted.js')).Interrupted,
}))

const latestCount = 8

/** An overview of the channel. */
export function Page() {
  const { client, channel } = useSession()
  const sample = useSample()
  const latest = useQuery({
    queryKey: keyOf('videos', channel._id, 'list', 'latest'),
    queryFn: ({ signal }) => client.videos.list({ active: 'all', per_page: latestCount }, { signal }),
    refetchInterval: whileUnderWay,
  })
  return (
    <PageLayout title={strings.title}>
      <Loaded query={latest}>
        {({ response }) =>
          response.length === 0 || sample.isUnderWay ? (
            <FirstSteps sample={sample} />
          ) : (
            <Stack gap="lg">
              <Suspense>
                <Interrupted />
              </Suspense>
              <Figures />
              <Latest videos={response} />
            </Stack>
          )
        }
      </Loaded>
    </PageLayout>
  )
}

function Figures() {
  const { publisher, channel } = useSession()
  const overview = useQuery({
    queryKey: keyOf('overview', channel._id),
    queryFn: ({ signal }) => publisher.overview({ signal }),
  })
  return (
    <Loaded query={overview} waiting={<Waiting rows={3} />}>
      {({ attention, storage, encoding, plays }) => (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
          <Attention attention={attention} />
          <Plays plays={plays} />
          <WatchTime plays={plays} />
          <Storage storage={storage} encoding={encoding} />
        </SimpleGrid>
      )}
    </Loaded>
  )
}

const Latest = ({ videos }: { readonly videos: readonly Video[] }) => (
  <Stack component="section" gap="sm" aria-label={strings.latest}>
    <Group justify="space-between">
      <Title order={2} size="h4">
        {strings.latest}
      </Title>
      <Anchor component={Link} to="/videos">
        {strings.all}
      </Anchor>
    </Group>
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
      {videos.map((video) => (
        <Link key={video._id} to={`/videos/${video._id}`} className={classes.video}>
          <Poster video={video} />
          <Text fw={600} lineClamp={2} mt="xs" mb={4}>
            {video.title}
          </Text>
          <VideoStatus video={video} />
        </Link>
      ))}
    </SimpleGrid>
  </Stack>
)
