import { Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate, useParams } from '@tanstack/react-router'
import {
  type ComponentType,
  type LazyExoticComponent,
  lazy,
  Suspense,
  useEffect,
  useMemo,
  useRef,
} from 'react'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Interrupted } from '../../ui/interrupted/interrupted.js'
import { LoadedPage } from '../../ui/loaded-page.js'
import { PageLayout } from '../../ui/page.js'
import { SameFile } from '../../ui/same-file/same-file.js'
import { SkipButton } from '../../ui/skip-button.js'
import { Waiting } from '../../ui/states.js'
import { VideoStatus } from '../../ui/video-status.js'
import { Actions } from './actions.js'
import { Deleted } from './deleted.js'
import { Failure } from './failure.js'
import { handleOf, Player } from './player.js'
import { Renditions } from './renditions.js'
import { strings } from './strings.js'
import { type TabProps, tabSearch } from './tab-props.js'
import { useVideo } from './use-video.js'
import classes from './video.module.css'

type Load = () => Promise<ComponentType<TabProps>>

const tab = (load: Load): LazyExoticComponent<ComponentType<TabProps>> =>
  lazy(async () => ({ default: await load() }))

const isWithoutFile = ({ status }: Video) => status === 'created' || status === 'uploading'

/** The tabs in order. Each loads when it is first opened. */
const tabs = {
  details: tab(async () => (await import('./details-tab.js')).DetailsTab),
  schedule: tab(async () => (await import('./schedule-tab.js')).ScheduleTab),
  access: tab(async () => (await import('./access-tab.js')).AccessTab),
  embed: tab(async () => (await import('./embed-tab.js')).EmbedTab),
  poster: tab(async () => (await import('./poster-tab.js')).PosterTab),
  chapters: tab(async () => (await import('./chapters-tab.js')).ChaptersTab),
  subtitles: tab(async () => (await import('./subtitles/subtitles-tab.js')).SubtitlesTab),
  audio: tab(async () => (await import('./audio/audio-tab.js')).AudioTab),
  appears: tab(async () => (await import('./appears-tab.js')).AppearsTab),
  statistics: tab(async () => (await import('./statistics-tab.js')).StatisticsTab),
  activity: tab(async () => (await import('./activity-tab.js')).ActivityTab),
  api: tab(async () => (await import('./api-tab.js')).ApiTab),
} as const

type TabName = keyof typeof tabs

const tabNames = Object.keys(tabs) as readonly TabName[]

const isTabName = (name: unknown): name is TabName => tabNames.includes(name as TabName)

const panelId = 'settings'
const parent = { label: strings.parent, to: '/videos' }

/** One video: its player, its progress and its fields. */
export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { query, put, tryChange, renew } = useVideo(id)
  return (
    <LoadedPage query={query} parent={parent}>
      {(video) =>
        video.status === 'deleted' ? (
          <Deleted video={video} parent={parent} onRestored={put} />
        ) : (
          <VideoPage key={id} video={video} put={put} tryChange={tryChange} renew={() => void renew()} />
        )
      }
    </LoadedPage>
  )
}

interface VideoPageProps {
  readonly video: Video
  put(video: Video): void
  tryChange(change: Partial<Video>): () => void
  renew(): void
}

/** Tabs that keep the player visible where it is above them. */
const follows: ReadonlySet<TabName> = new Set(['chapters', 'subtitles'])

/** From this width, the player is beside the tabs. The styles have the same number. */
const wide = '(min-width: 75em)'

function VideoPage({ video, put, tryChange, renew }: VideoPageProps) {
  const { mayEdit } = useSession()
  const navigate = useNavigate()
  const { tab: asked } = tabSearch.useSearch()
  const tab = isTabName(asked) ? asked : 'details'
  const Tab = tabs[tab]
  const frame = useRef<HTMLIFrameElement>(null)
  const player = useMemo(() => handleOf(frame), [])
  useEffect(() => player.setTitle(video.title), [player, video.title])
  const isWide = useMediaQuery(wide, true, { getInitialValueInEffect: false })
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another one to show
  useEffect(() => {
    const chosen = list.current?.querySelector('[aria-selected=true]')
    chosen?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [tab])
  const choose = (next: string | null) =>
    void navigate({ to: '.', search: tabSearch.to({ tab: next }), replace: true, resetScroll: false })
  return (
    <>
      <SkipButton label={strings.skip} to={panelId} />
      <PageLayout
        title={video.title}
        parents={[parent]}
        actions={
          mayEdit && (
            <Actions video={video} onChanged={put} tryChange={tryChange} onShare={() => choose('embed')} />
          )
        }
        maw="96rem"
      >
        <VideoStatus video={video} />
        <Failure video={video} onChanged={put} />
        {isWithoutFile(video) && <Interrupted videoId={video._id} />}
        <SameFile videoId={video.data_sources.length > 0 ? video._id : undefined} />
        <Tabs value={tab} onChange={choose} keepMounted={false} className={classes.layout}>
          <div className={classes.side} data-follows={follows.has(tab) || undefined}>
            <Player video={video} ref={frame} />
            {isWide && <Renditions video={video} />}
          </div>
          <Tabs.List ref={list} aria-label={strings.tabsLabel} className={classes.tabs}>
            {tabNames.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {strings.tabs[name]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {!isWide && <Renditions video={video} />}
          <Tabs.Panel value={tab} className={classes.panel}>
            <div id={panelId} tabIndex={-1} className={classes.skipped}>
              <Suspense fallback={<Waiting rows={3} />}>
                <Tab video={video} player={player} put={put} renew={renew} />
              </Suspense>
            </div>
          </Tabs.Panel>
        </Tabs>
      </PageLayout>
    </>
  )
}
