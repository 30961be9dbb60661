import { Alert, Stack, Switch, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type PlayerWishes, videoFrame } from '@zoetrope/sdk'
import { useState } from 'react'
import { origin } from '../../data/api.js'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { Copyable } from '../../ui/copyable.js'
import { Section } from '../../ui/section.js'
import { Loaded } from '../../ui/states.js'
import { isUnwatchable } from '../../ui/video-state.js'
import { Share } from './share.js'
import { strings } from './strings.js'
import type { TabProps } from './tab-props.js'
import { TemporaryLink } from './temporary-link.js'
import classes from './video.module.css'

const switches = ['autoplay', 'muted', 'loop'] as const

/** The code to embed the video in a page, with a preview. */
export function EmbedTab({ video, player }: TabProps) {
  const { publisher, channel, may } = useSession()
  const [wishes, setWishes] = useState<PlayerWishes>({})
  const snippets = useQuery({
    queryKey: keyOf('snippets', channel._id, 'list', video._id, wishes),
    queryFn: () => publisher.player(video._id, wishes),
    placeholderData: keepPreviousData,
  })
  const set = (name: keyof PlayerWishes, value: string | undefined) =>
    setWishes(({ [name]: _, ...others }) => (value === undefined ? others : { ...others, [name]: value }))
  if (isUnwatchable(video))
    return (
      <Alert color="yellow" variant="light">
        {strings.nothingToShare[video.status]}
      </Alert>
    )
  return (
    <Stack>
      {!video.active && (
        <Alert color="yellow" variant="light">
          {strings.embed.unpublished}
        </Alert>
      )}
      <Section title={strings.share.title} about={strings.share.about}>
        <Loaded query={snippets}>{({ share_url }) => <Share address={share_url} player={player} />}</Loaded>
      </Section>
      {may(['video_playback_tokens', 'create']) && (
        <Section title={strings.share.temporary} about={strings.share.temporaryAbout}>
          <TemporaryLink videoId={video._id} />
        </Section>
      )}
      <Section title={strings.embed.look} about={strings.embed.lookAbout}>
        <Stack>
          {switches.map((name) => (
            <Switch
              key={name}
              label={strings.embed[name]}
              checked={wishes[name] === 'true'}
              onChange={({ currentTarget }) => set(name, currentTarget.checked ? 'true' : undefined)}
            />
          ))}
          <Switch
            label={strings.embed.controls}
            checked={wishes.controls !== 'false'}
            onChange={({ currentTarget }) => set('controls', currentTarget.checked ? undefined : 'false')}
          />
          <TextInput
            type="number"
            label={strings.embed.start}
            maw="12rem"
            min={0}
            value={wishes.start ?? ''}
            onChange={({ currentTarget }) => set('start', currentTarget.value || undefined)}
          />
          {video.playable_at !== null && (
            <iframe
              key={JSON.stringify(wishes)}
              className={classes.preview}
              src={videoFrame({ url: origin, videoId: video._id, channelId: channel._id }, wishes)}
              title={strings.embed.preview}
              allow="autoplay; fullscreen; picture-in-picture"
            />
          )}
        </Stack>
      </Section>
      <Section title={strings.embed.code}>
        <Loaded query={snippets}>
          {({ iframe, element, script, manifest_url }) => (
            <Stack>
              <Copyable label={strings.embed.frame} text={iframe} />
              <Copyable label={strings.embed.element} text={element} />
              <Copyable label={strings.embed.script} text={script} />
              <Copyable label={strings.embed.manifest} text={manifest_url} />
            </Stack>
          )}
        </Loaded>
      </Section>
    </Stack>
  )
}
