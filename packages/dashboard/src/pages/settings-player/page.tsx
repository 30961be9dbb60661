import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { videoFrame } from '@zoetrope/sdk'
import { useEffect, useRef } from 'react'
import { origin } from '../../data/api.js'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { type AccountGroups, AccountPage } from '../../ui/account-page.js'
import type { Values } from '../../ui/resource-form/values.js'
import { Section } from '../../ui/section.js'
import { Loaded } from '../../ui/states.js'
import classes from './settings-player.module.css'
import { strings } from './strings.js'

const groups: AccountGroups = [
  { title: strings.look, fields: ['player_color', 'player_logo_url', 'player_controls'] },
  { title: strings.start, fields: ['player_autoplay', 'player_muted', 'player_loop'] },
]

/** The look of the player, with a preview. */
export const Page = () => (
  <AccountPage
    title={strings.title}
    about={strings.about}
    groups={groups}
    preview={(values, { updated_at }) => <Preview values={values} savedAt={updated_at} />}
  />
)

const settleMs = 400

/** The settings as query parameters of a player URL. */
function wishesIn(values: Values): Readonly<Record<string, string>> {
  const color = String(values.player_color ?? '')
  return {
    autoplay: String(values.player_autoplay === true),
    muted: String(values.player_muted === true),
    loop: String(values.player_loop === true),
    controls: String(values.player_controls !== false),
    ...(/^#[0-9a-f]{6}$/i.test(color) ? { color: color.slice(1) } : {}),
  }
}

/** A player URL cannot carry a logo, so this sets it in the frame, which has the same origin. */
function showLogo(frame: HTMLIFrameElement | null, logo: string): void {
  const player = frame?.contentDocument?.querySelector('zoetrope-player')
  if (URL.canParse(logo)) player?.setAttribute('logo', logo)
  else player?.removeAttribute('logo')
}

interface PreviewProps {
  readonly values: Values
  readonly savedAt: string
}

function Preview({ values, savedAt }: PreviewProps) {
  const { client, channel } = useSession()
  const videos = useQuery({
    queryKey: keyOf('videos', channel._id, 'list', 'playable'),
    queryFn: ({ signal }) => client.videos.list({ status: 'ready', active: 'all', per_page: 1 }, { signal }),
  })
  const [wishes] = useDebouncedValue(JSON.stringify(wishesIn(values)), settleMs)
  const [logo] = useDebouncedValue(String(values.player_logo_url ?? ''), settleMs)
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => showLogo(frame.current, logo), [logo])
  return (
    <Section title={strings.preview} about={strings.previewAbout}>
      <Loaded query={videos}>
        {({ response: [video] }) =>
          video ? (
            <iframe
              ref={frame}
              key={`${wishes} ${savedAt}`}
              onLoad={() => showLogo(frame.current, logo)}
              className={classes.frame}
              src={videoFrame(
                { url: origin, videoId: video._id, channelId: channel._id },
                JSON.parse(wishes),
              )}
              title={strings.player(video.title)}
              allow="autoplay; fullscreen; picture-in-picture"
            />
          ) : (
            <Text c="dimmed">{strings.none}</Text>
          )
        }
      </Loaded>
    </Section>
  )
}
