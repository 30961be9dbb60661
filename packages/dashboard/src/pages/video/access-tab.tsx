import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { catalog } from '@zoetrope/contract'
import { videoWords } from '@zoetrope/contract/words/videos'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { PriceInput } from '../../ui/resource-form/money-inputs.js'
import { ResourceForm } from '../../ui/resource-form/resource-form.js'
import { ProfileInput } from '../../ui/rule-list/profile-input.js'
import { RecordRules } from '../../ui/rule-list/record-rules.js'
import { Section } from '../../ui/section.js'
import { Loaded, Waiting } from '../../ui/states.js'
import { accessGroups } from './field-groups.js'
import { strings } from './strings.js'
import type { TabProps } from './tab-props.js'
import { ViewerNeeds } from './viewer-needs.js'

const inputs = {
  content_rule_profile_id: ProfileInput,
  purchase_price: PriceInput,
  rental_price: PriceInput,
}

/** Who may watch the video, where, and at what price. */
export function AccessTab({ video, put }: TabProps) {
  const { client, mayEdit } = useSession()
  return (
    <Stack>
      <ResourceForm
        resource={catalog.videos}
        words={videoWords}
        record={video}
        read={(options) => client.videos.get(video._id, options)}
        groups={accessGroups}
        inputs={inputs}
        isDisabled={!mayEdit}
        preview={(values) => <ViewerNeeds video={video} values={values} />}
        save={(changes, options) => client.videos.update(video._id, changes, options)}
        onSaved={put}
      />
      <RecordRules name="video_content_rules" parentId={video._id} {...strings.rules} />
      <Sites />
    </Stack>
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
