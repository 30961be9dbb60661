import { Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { StorageAbility, StorageMove, StorageVerify } from '@zoetrope/contract'
import type { StorageFacts } from '@zoetrope/sdk'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { Ago } from '../../ui/ago.js'
import { Copyable } from '../../ui/copyable.js'
import { Fact, Warning } from '../../ui/facts.js'
import { Icon } from '../../ui/icons.js'
import { sayFailed } from '../../ui/notices.js'
import { bytes, whole } from '../../ui/numbers.js'
import { PageLayout } from '../../ui/page.js'
import { Section } from '../../ui/section.js'
import { Loaded } from '../../ui/states.js'
import { strings } from './strings.js'

/** The server adds up all films for an answer, so it is asked often only while they move. */
const lookAgainMs = { moving: 5000, otherwise: 60_000 }

/** The storage of the whole server. Owners see and check it; its settings are the administrator's. */
export function Page() {
  const { publisher, channel } = useSession()
  const storage = useQuery({
    queryKey: keyOf('storage', channel._id),
    queryFn: ({ signal }) => publisher.storage({ signal }),
    refetchInterval: ({ state }) =>
      state.data?.move?.is_running || state.data?.verify?.is_running
        ? lookAgainMs.moving
        : lookAgainMs.otherwise,
  })
  return (
    <PageLayout title={strings.title} about={strings.about} maw="52rem">
      <Loaded query={storage}>
        {(facts) => (
          <>
            <Place facts={facts} />
            {facts.move && <Move move={facts.move} />}
            <Check check={facts.check} />
            <Verify verify={facts.verify} />
            <Commands facts={facts} />
          </>
        )}
      </Loaded>
    </PageLayout>
  )
}

const Place = ({ facts }: { readonly facts: StorageFacts }) => (
  <Section title={strings.place}>
    <Stack>
      {facts.problem && <Warning>{facts.problem}</Warning>}
      <div>
        <Text fw={650} size="lg">
          {strings.kinds[facts.kind]}
        </Text>
        {facts.kind === 's3' && (
          <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {facts.place}
          </Text>
        )}
      </div>
      <Group gap="xl">
        <Fact label={strings.films}>{whole(facts.films)}</Fact>
        <Fact label={strings.originals}>{bytes(facts.bytes)}</Fact>
        <Fact label={strings.formats}>{bytes(facts.made_bytes)}</Fact>
        <Fact label={strings.free}>
          {facts.free_bytes === null ? strings.unknown : bytes(facts.free_bytes)}
        </Fact>
      </Group>
      {facts.old_place && <Text>{strings.oldPlace(facts.old_place)}</Text>}
    </Stack>
  </Section>
)

function Move({ move }: { readonly move: StorageMove }) {
  const share = move.total_bytes > 0 ? move.moved_bytes / move.total_bytes : 1
  const isStopped = move.ended_at === null && !move.is_running
  const title = move.ended_at ? strings.moved : isStopped ? strings.stopped : strings.move
  return (
    <Section title={title}>
      <Stack gap="sm">
        <Text style={{ overflowWrap: 'anywhere' }}>{strings.way(move.from, move.to)}</Text>
        <Progress value={100 * share} aria-label={strings.share(share)} />
        <Text size="sm">
          {strings.files(whole(move.moved_objects), whole(move.total_objects))},{' '}
          {strings.size(bytes(move.moved_bytes), bytes(move.total_bytes))}
          {move.is_running && move.seconds_left !== null && `, ${strings.left(move.seconds_left)}`}
        </Text>
        {isStopped && <Warning>{strings.goesOn}</Warning>}
        {move.failed_objects > 0 && <Failures move={move} />}
      </Stack>
    </Section>
  )
}

const Failures = ({ move }: { readonly move: StorageMove }) => (
  <Warning>
    {strings.failed(move.failed_objects)}
    <List size="sm" mt="xs">
      {move.failures.map(({ key, reason }) => (
        <List.Item key={key} style={{ overflowWrap: 'anywhere' }}>
          {key}: {reason}
        </List.Item>
      ))}
    </List>
  </Warning>
)

function Check({ check }: Pick<StorageFacts, 'check'>) {
  const { publisher, channel } = useSession()
  const client = useQueryClient()
  const checking = useMutation({
    mutationFn: () => publisher.checkStorage(),
    onSuccess: (facts) => client.setQueryData(keyOf('storage', channel._id), facts),
    onError: (error) => sayFailed(strings.notChecked, error),
  })
  const isGood = check?.results.every(({ ok }) => ok)
  const button = (
    <Button variant="default" loading={checking.isPending} onClick={() => checking.mutate()}>
      {strings.runCheck}
    </Button>
  )
  return (
    <Section title={strings.check} about={strings.checkAbout} actions={button}>
      {check ? (
        <Stack gap="sm">
          <Text fw={650}>
            {isGood ? strings.allGood : strings.someFail}{' '}
            <Text span c="dimmed" size="sm" fw={400}>
              <Ago at={check.checked_at} />
            </Text>
          </Text>
          {check.results.map((result) => (
            <Ability key={result.name} {...result} />
          ))}
        </Stack>
      ) : (
        <Text c="dimmed">{strings.never}</Text>
      )}
    </Section>
  )
}

const Ability = ({ name, ok, sentence, remedy }: StorageAbility) => (
  <Group gap="sm" align="flex-start" wrap="nowrap">
    <Icon name={ok ? 'check' : 'warning'} />
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      <b>{ok ? strings.works(name) : strings.fails(name)}</b> {sentence} {remedy}
    </Text>
  </Group>
)

function Verify({ verify }: Pick<StorageFacts, 'verify'>) {
  const { publisher, channel } = useSession()
  const client = useQueryClient()
  const verifying = useMutation({
    mutationFn: () => publisher.verifyStorage(),
    onSuccess: (facts) => client.setQueryData(keyOf('storage', channel._id), facts),
    onError: (error) => sayFailed(strings.notVerified, error),
  })
  const isBusy = verifying.isPending || verify?.is_running === true
  const button = (
    <Button variant="default" loading={isBusy} onClick={() => verifying.mutate()}>
      {strings.runVerify}
    </Button>
  )
  return (
    <Section title={strings.verifyTitle} about={strings.verifyAbout} actions={button}>
      {verify ? <VerifyResult verify={verify} /> : <Text c="dimmed">{strings.neverVerified}</Text>}
    </Section>
  )
}

function VerifyResult({ verify }: { readonly verify: StorageVerify }) {
  const { checked, missing, wrong, problem } = verify
  if (verify.is_running) return <Text>{strings.verifying(checked)}</Text>
  if (verify.ended_at === null) return <Warning>{strings.verifyStopped}</Warning>
  if (problem) return <Warning>{problem}</Warning>
  if (missing + wrong === 0)
    return (
      <Text fw={650}>
        {strings.allThere(checked)}{' '}
        <Text span c="dimmed" size="sm" fw={400}>
          <Ago at={verify.ended_at} />
        </Text>
      </Text>
    )
  return (
    <Warning>
      {strings.notThere(missing, wrong)}
      <List size="sm" mt="xs">
        {verify.examples.map(({ key, trouble }) => (
          <List.Item key={key} style={{ overflowWrap: 'anywhere' }}>
            {key} {strings.troubles[trouble]}
          </List.Item>
        ))}
      </List>
    </Warning>
  )
}

const example = 's3://KEY:SECRET@s3.example.com/bucket/prefix?region=eu-central-1'

const Commands = ({ facts }: { readonly facts: StorageFacts }) => (
  <Section title={strings.commands} about={strings.commandsAbout}>
    <Stack>
      {facts.kind === 'disk' && !facts.old_place && (
        <>
          <Copyable label={strings.tryBucket} text={`zoetrope storage check --url '${example}'`} />
          <Copyable label={strings.setAddress} text={`STORAGE_URL='${example}'`} />
          <Copyable label={strings.moveFilms.s3} text="zoetrope storage move --to s3 --rate 50MB/s" />
        </>
      )}
      {facts.kind === 's3' && !facts.old_place && (
        <>
          <Copyable label={strings.setOld} text={`STORAGE_OLD_URL='${example}'`} />
          <Copyable label={strings.moveFilms.disk} text="zoetrope storage move --to disk --rate 50MB/s" />
        </>
      )}
      {facts.old_place && (
        <Copyable
          label={strings.moveFilms[facts.kind]}
          text={`zoetrope storage move --to ${facts.kind} --rate 50MB/s`}
        />
      )}
      <Copyable label={strings.verify} text="zoetrope storage verify --deep" />
    </Stack>
  </Section>
)
