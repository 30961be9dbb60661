import { Stack, Tabs } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { PageLayout } from '../../ui/page.js'
import { Loaded } from '../../ui/states.js'
import { VideoStatus } from '../../ui/video-status.js'
import { Actions } from './actions.js'
import { ApiTab, EmbedTab } from './code-tabs.js'
import { DetailsTab } from './details-tab.js'
import { currentTimeOf, Player } from './player.js'
import { PosterTab } from './poster-tab.js'
import { Renditions } from './renditions.js'
import { strings } from './strings.js'
import { SubtitlesTab } from './subtitles-tab.js'
import { useVideo } from './use-video.js'
import classes from './video.module.css'

/** One video: how it plays, how far it is, and everything said about it. */
export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { query, put, renew } = useVideo(id)
  return (
    <Loaded query={query}>
      {(video) => <VideoPage key={id} video={video} put={put} renew={() => void renew()} />}
    </Loaded>
  )
}

interface VideoPageProps {
  readonly video: Video
  put(video: Video): void
  renew(): void
}

type TabName = keyof typeof strings.tabs

function VideoPage({ video, put, renew }: VideoPageProps) {
  const { mayEdit } = useSession()
  const navigate = useNavigate()
  const { tab = 'details' } = useSearch({ strict: false }) as { tab?: TabName }
  const frame = useRef<HTMLIFrameElement>(null)
  const choose = (next: string | null) =>
    void navigate({ to: '.', search: { tab: next } as never, replace: true, resetScroll: false })
  return (
    <PageLayout
      title={video.title}
      parents={[{ label: strings.parent, to: '/videos' }]}
      actions={mayEdit && <Actions video={video} onChanged={put} />}
      maw="72rem"
    >
      <VideoStatus video={video} />
      <div className={classes.top}>
        <Player video={video} ref={frame} />
        <Renditions video={video} />
      </div>
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <Tabs.List aria-label={strings.tabsLabel} mb="md">
          {(Object.keys(strings.tabs) as TabName[]).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {strings.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Stack maw="52rem">
          <Tabs.Panel value="details">
            <DetailsTab video={video} onSaved={put} />
          </Tabs.Panel>
          <Tabs.Panel value="poster">
            <PosterTab video={video} currentTime={() => currentTimeOf(frame.current)} onChanged={renew} />
          </Tabs.Panel>
          <Tabs.Panel value="subtitles">
            <SubtitlesTab video={video} />
          </Tabs.Panel>
          <Tabs.Panel value="embed">
            <EmbedTab video={video} />
          </Tabs.Panel>
          <Tabs.Panel value="api">
            <ApiTab video={video} />
          </Tabs.Panel>
        </Stack>
      </Tabs>
    </PageLayout>
  )
}
