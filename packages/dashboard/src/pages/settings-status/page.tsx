import { Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Status } from '@zoetrope/sdk'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { listSearch } from '../../ui/define-search.js'
import { Fact, Warning } from '../../ui/facts.js'
import { sayDone, sayFailed } from '../../ui/notices.js'
import { bytes, whole } from '../../ui/numbers.js'
import { PageLayout } from '../../ui/page.js'
import { Section } from '../../ui/section.js'
import { Loaded } from '../../ui/states.js'
import { strings } from './strings.js'

const lookAgainMs = 5000

/** The health of the installation, as far as it concerns this channel. */
export function Page() {
  const { publisher, channel } = useSession()
  const status = useQuery({
    queryKey: keyOf('status', channel._id),
    queryFn: ({ signal }) => publisher.status({ signal }),
    refetchInterval: lookAgainMs,
  })
  return (
    <PageLayout title={strings.title} about={strings.about} maw="52rem">
      <Loaded query={status}>
        {({ problems, mail, storage, encoding, countries }) => (
          <>
            {problems.map((problem) => (
              <Warning key={problem}>{problem}</Warning>
            ))}
            <Encoding encoding={encoding} />
            <Storage storage={storage} />
            <Mail mail={mail} />
            {countries.problem && (
              <Section title={strings.countries}>
                <Warning>{countries.problem}</Warning>
              </Section>
            )}
          </>
        )}
      </Loaded>
    </PageLayout>
  )
}

/** The release number in n7.0-7-gd38bf5e08e-20240407 or 5.1.6-0+deb12u1, or the whole text if there is none. */
const numberOf = (version: string) => /^n?(\d+(?:\.\d+)+)/.exec(version)?.[1] ?? version

function Encoding({ encoding }: Pick<Status, 'encoding'>) {
  const { workers, jobs, videos, ffmpeg, problem } = encoding
  return (
    <Section title={strings.encoding}>
      <Stack>
        {problem && (
          <Warning>
            {problem} {workers.encoding > 0 ? strings.onlyWorkers : strings.uploadsWait}
          </Warning>
        )}
        {workers.alive === 0 && <Warning>{strings.noWorkers}</Warning>}
        <Group gap="xl">
          <Fact label={strings.workers}>{whole(workers.alive)}</Fact>
          <Fact label={strings.arriving}>{whole(videos.waiting)}</Fact>
          <Fact label={strings.encoded}>{whole(videos.encoding)}</Fact>
          <Fact label={strings.failedVideos}>
            {whole(videos.failed)}{' '}
            {videos.failed > 0 && (
              <Anchor component={Link} to="/videos" search={listSearch.to({ status: 'failed' })} size="sm">
                {strings.seeFailed}
              </Anchor>
            )}
          </Fact>
          <Fact label={strings.waiting}>{whole(jobs.waiting)}</Fact>
          <Fact label={strings.running}>{whole(jobs.running)}</Fact>
          <Fact label={strings.failedJobs}>{whole(jobs.failed)}</Fact>
        </Group>
        {ffmpeg && (
          <Text size="sm">{strings.ffmpeg(numberOf(ffmpeg.version), strings.origins[ffmpeg.origin])}</Text>
        )}
      </Stack>
    </Section>
  )
}

function Storage({ storage }: Pick<Status, 'storage'>) {
  const { may } = useSession()
  const { bytes: used, made_bytes: made, limit_bytes: limit, free_bytes: free, problem } = storage
  const percent = limit ? Math.min(100, Math.round((100 * used) / limit)) : undefined
  return (
    <Section title={strings.storage}>
      <Stack>
        {problem && <Warning>{problem}</Warning>}
        <Group gap="xl">
          <Fact label={strings.stored}>{bytes(used + made)}</Fact>
          <Fact label={strings.originals}>{bytes(used)}</Fact>
          <Fact label={strings.formats}>{bytes(made)}</Fact>
          <Fact label={strings.limit}>{limit === null ? strings.noLimit : bytes(limit)}</Fact>
          <Fact label={strings.free}>{free === null ? strings.unknown : bytes(free)}</Fact>
        </Group>
        {may('storage') && (
          <Anchor component={Link} to="/settings/storage" size="sm">
            {strings.whereFilmsAre}
          </Anchor>
        )}
        {percent !== undefined && <Progress value={percent} aria-label={strings.share(percent)} />}
      </Stack>
    </Section>
  )
}

function Mail({ mail }: Pick<Status, 'mail'>) {
  const { publisher, may } = useSession()
  const sending = useMutation({
    mutationFn: () => publisher.sendTestMail(),
    onSuccess: ({ to, delivered }) => sayDone(delivered ? strings.sent(to) : strings.kept(to)),
    onError: (error) => sayFailed(strings.notSent, error),
  })
  return (
    <Section title={strings.mail}>
      <Stack align="flex-start">
        {mail.configured ? <Text>{strings.mailOn(mail.from)}</Text> : <Warning>{strings.mailOff}</Warning>}
        {may('test_mail') && (
          <Button variant="default" loading={sending.isPending} onClick={() => sending.mutate()}>
            {strings.sendTest}
          </Button>
        )}
      </Stack>
    </Section>
  )
}
