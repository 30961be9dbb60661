import { Stack } from '@mantine/core'
import { origin } from '../../data/api.js'
import { Copyable } from '../../ui/copyable.js'
import { Section } from '../../ui/section.js'
import { strings } from './strings.js'
import type { TabProps } from './tab-props.js'

/** The record as the API returns it. */
export const ApiTab = ({ video }: TabProps) => (
  <Section>
    <Stack>
      <Copyable
        label={strings.api.curl}
        text={`curl -H 'X-Api-Key: YOUR_ADMIN_KEY' '${origin}/videos/${video._id}'`}
      />
      <Copyable label={strings.api.json} text={JSON.stringify(video, null, 2)} />
    </Stack>
  </Section>
)
