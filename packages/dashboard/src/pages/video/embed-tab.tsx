import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../data/session.js'
import { Copyable } from '../../ui/copyable.js'
import { Section } from '../../ui/section.js'
import { Loaded } from '../../ui/states.js'
import { strings } from './strings.js'
import type { TabProps } from './tabs.js'

/** What to paste into a page to have the video there. */
export function EmbedTab({ video }: TabProps) {
  const { publisher, channel } = useSession()
  const snippets = useQuery({
    queryKey: ['snippets', channel._id, video._id],
    queryFn: () => publisher.player(video._id),
  })
  return (
    <Section>
      <Loaded query={snippets}>
        {({ iframe, element, script, share_url, manifest_url }) => (
          <Stack>
            <Copyable label={strings.embed.frame} text={iframe} />
            <Copyable label={strings.embed.element} text={element} />
            <Copyable label={strings.embed.script} text={script} />
            <Copyable label={strings.embed.share} text={share_url} />
            <Copyable label={strings.embed.manifest} text={manifest_url} />
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}
