import { Anchor, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { catalog } from '@zoetrope/contract'
import { videoWords } from '@zoetrope/contract/words/videos'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { ResourceForm } from '../../ui/resource-form/resource-form.js'
import { ProfileInput } from '../../ui/rule-list/profile-input.js'
import { RecordRules } from '../../ui/rule-list/record-rules.js'
import { Section } from '../../ui/section.js'
import { Loaded, Waiting } from '../../ui/states.js'
import { accessGroups } from './field-groups.js'
import { strings } from './strings.js'
import type { TabProps } from './tab-props.js'

const inputs = { content_rule_profile_id: ProfileInput }

/** Who may watch the video, where, and at what price. */
export function AccessTab({ video, put }: TabProps) {
  const { client, mayEdit } = useSession()
  return (
    <Stack>
      <ResourceForm
        resource={catalog.videos}
        words={videoWords}
        record={video}
        groups={accessGroups}
        inputs={inputs}
        isDisabled={!mayEdit}
        save={(changes) => client.videos.update(video._id, changes)}
        onSaved={put}
      />
      <RecordRules name="video_content_rules" parentId={video._id} {...strings.rules} />
      {video.subscription_required && <Plans />}
      {video.pass_required && <Passes />}
      <Sites />
    </Stack>
  )
}

interface Named {
  readonly _id: string
  readonly name?: string | null
}

function Offers({
  title,
  about,
  name,
  path,
  load,
}: {
  readonly title: string
  readonly about: string
  readonly name: 'plans' | 'pass_plans'
  readonly path: string
  readonly load: () => Promise<{ readonly response: readonly Named[] }>
}) {
  const { channel, mayEdit } = useSession()
  const offers = useQuery({ queryKey: keyOf(name, channel._id, 'list', 'offers'), queryFn: load })
  return (
    <Section title={title} about={about}>
      <Loaded query={offers} waiting={<Waiting rows={1} />}>
        {({ response }) =>
          response.length === 0 ? (
            <Text c="dimmed">
              {strings.access.none}{' '}
              {mayEdit && (
                <Anchor component={Link} to={path}>
                  {strings.access.make}
                </Anchor>
              )}
            </Text>
          ) : (
            <List>
              {response.map(({ _id, name }) => (
                <List.Item key={_id}>
                  <Anchor component={Link} to={`${path}/${_id}`}>
                    {name ?? _id}
                  </Anchor>
                </List.Item>
              ))}
            </List>
          )
        }
      </Loaded>
    </Section>
  )
}

function Plans() {
  const { client } = useSession()
  return (
    <Offers
      title={strings.access.plans}
      about={strings.access.plansAbout}
      name="plans"
      path="/plans"
      load={() => client.plans.list({ per_page: 100 })}
    />
  )
}

function Passes() {
  const { client } = useSession()
  return (
    <Offers
      title={strings.access.passes}
      about={strings.access.passesAbout}
      name="pass_plans"
      path="/passes"
      load={() => client.pass_plans.list({ per_page: 100 })}
    />
  )
}

/** The allowed sites of the whole channel, which also apply to this video. */
function Sites() {
  const { client, channel } = useSession()
  const account = useQuery({
    queryKey: keyOf('account', channel._id, 'record'),
    queryFn: ({ signal }) => client.account.get({ signal }),
  })
  return (
    <Section title={strings.access.sites} about={strings.access.sitesAbout}>
      <Loaded query={account} waiting={<Waiting rows={1} />}>
        {({ embed_domains: sites }) => (
          <Text>{sites.length === 0 ? strings.access.everySite : sites.join(', ')}</Text>
        )}
      </Loaded>
    </Section>
  )
}
