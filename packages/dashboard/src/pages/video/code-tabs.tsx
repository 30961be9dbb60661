import { Paper, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { origin } from '../../data/api.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Copyable } from '../../ui/copyable.js'
import { Loaded } from '../../ui/states.js'
import { strings } from './strings.js'

/** What to paste into a page to have the video there. */
export function EmbedTab({ video }: { readonly video: Video }) {
  const { publisher, channel } = useSession()
  const snippets = useQuery({
    queryKey: ['snippets', channel._id, video._id],
    queryFn: () => publisher.player(video._id),
  })
  return (
    <Paper withBorder p="lg">
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
    </Paper>
  )
}

/** The same record as programs read it. */
export const ApiTab = ({ video }: { readonly video: Video }) => (
  <Paper withBorder p="lg">
    <Stack>
      <Copyable
        label={strings.api.curl}
        text={`curl -H 'X-Api-Key: YOUR_ADMIN_KEY' '${origin}/videos/${video._id}'`}
      />
      <Copyable label={strings.api.json} text={JSON.stringify(video, null, 2)} />
    </Stack>
  </Paper>
)
