import { useMantineColorScheme } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { keyOf } from '../../data/keys.js'
import type { Need } from '../../data/may-do.js'
import { useSession } from '../../data/session.js'
import { listSearch } from '../../ui/define-search.js'
import type { IconName } from '../../ui/icons.js'
import { newestUndo } from '../../ui/notices.js'
import { useLeave } from '../../ui/use-leave.js'
import { stateOf } from '../../ui/video-state.js'
import { pages } from '../pages.js'
import { showShortcuts } from '../shortcuts/open-shortcuts.js'
import type { Choice } from './choice.js'
import { findVideos } from './find-videos.js'
import { strings } from './strings.js'
import { useVideoActions } from './use-video-actions.js'

export interface ChoiceGroup {
  readonly title: string
  readonly choices: readonly Choice[]
}

const mostRecords = 6

interface LinkAction {
  readonly label: string
  readonly icon: IconName
  readonly to: string
  readonly search?: Readonly<Record<string, unknown>>
  readonly needs?: Need
}

const linkActions: readonly LinkAction[] = [
  { label: strings.upload, icon: 'upload', to: '/upload', needs: ['uploads', 'create'] },
  {
    label: strings.drafts,
    icon: 'eye',
    to: '/videos',
    search: { active: false },
    needs: ['videos', 'update'],
  },
  { label: strings.importCsv, icon: 'table', to: '/import', needs: ['videos', 'create'] },
  { label: strings.newPlaylist, icon: 'plus', to: '/playlists/new', needs: ['playlists', 'create'] },
  { label: strings.newCategory, icon: 'plus', to: '/categories/new', needs: ['categories', 'create'] },
  { label: strings.newConsumer, icon: 'plus', to: '/consumers/new', needs: ['consumers', 'create'] },
  { label: strings.newPlan, icon: 'plus', to: '/plans/new', needs: ['plans', 'create'] },
  { label: strings.newApp, icon: 'plus', to: '/apps/new', needs: ['apps', 'create'] },
  { label: strings.account, icon: 'user', to: '/account' },
]

const themes = ['auto', 'light', 'dark'] as const

/** Whether every word of the search begins a word of the text. */
export function matches(search: string, text: string): boolean {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)))
}

/** What the search finds, in groups: pages and actions at once, videos and consumers from the server. */
export function useChoices(search: string) {
  const navigate = useNavigate()
  const open: Open = (to, search) => void navigate(search ? { to, search: listSearch.to(search) } : { to })
  const records = useRecords(search, open)
  const fitting = (choices: readonly Choice[]) =>
    choices.filter(({ label, hint }) => search === '' || matches(search, `${label} ${hint ?? ''}`))
  const here = { title: strings.here, choices: fitting(useVideoActions()) }
  const groups = [
    // Enter alone must not publish anything.
    ...(search === '' ? [] : [here]),
    { title: strings.pages, choices: fitting(usePages(open)) },
    ...(search === '' ? [here] : []),
    { title: strings.actions, choices: fitting(useActions(open)) },
    { title: strings.channels, choices: fitting(useChannels()) },
    ...records.groups,
  ]
  return { ...records, groups: groups.filter(({ choices }) => choices.length > 0) }
}

type Open = (to: string, search?: Readonly<Record<string, unknown>>) => void

function usePages(open: Open): Choice[] {
  const { may } = useSession()
  return pages.flatMap(({ path, menu, needs }) =>
    menu && (!needs || may(needs))
      ? [{ id: `page${path}`, label: menu.label, hint: menu.group, icon: menu.icon, run: () => open(path) }]
      : [],
  )
}

function useActions(open: Open): Choice[] {
  const { may } = useSession()
  const { setColorScheme } = useMantineColorScheme()
  return [
    ...undoActions(open),
    { id: 'shortcuts', label: strings.shortcuts, icon: 'list', run: showShortcuts },
    ...linkActions
      .filter(({ needs }) => !needs || may(needs))
      .map(({ label, icon, to, search }) => ({
        id: `action${to}`,
        label,
        icon,
        run: () => open(to, search),
      })),
    ...themes.map((name) => ({
      id: `theme-${name}`,
      label: strings.themes[name],
      icon: 'eye' as const,
      run: () => setColorScheme(name),
    })),
  ]
}

/** Undoes what the newest notice reports, or leads to the earlier changes. */
const undoActions = (open: Open): readonly Choice[] => {
  const newest = newestUndo()
  return [
    ...(newest
      ? [{ id: 'undo', label: strings.undo(newest.message), icon: 'undo' as const, run: newest.run }]
      : []),
    { id: 'undo-older', label: strings.undoOlder, icon: 'undo', run: () => open('/activity') },
  ]
}

/** The other channels of the user. */
function useChannels(): Choice[] {
  const { channel, channels, chooseChannel } = useSession()
  const leave = useLeave()
  return channels
    .filter(({ _id }) => _id !== channel._id)
    .map(({ _id, name }) => ({
      id: `channel-${_id}`,
      label: name,
      icon: 'right',
      run: () => void leave(() => chooseChannel(_id)),
    }))
}

function useRecords(search: string, open: Open) {
  const { client, channel, may } = useSession()
  const isAsked = search !== ''
  const videos = useQuery({
    queryKey: keyOf('videos', channel._id, 'list', 'palette', search),
    queryFn: ({ signal }) => findVideos(client, search, mostRecords, signal),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  const consumers = useQuery({
    queryKey: keyOf('consumers', channel._id, 'list', 'palette', search),
    queryFn: ({ signal }) => client.consumers.list({ q: search, per_page: mostRecords }, { signal }),
    enabled: isAsked && may(['consumers', 'list']),
    placeholderData: keepPreviousData,
  })
  const foundVideos = (isAsked && videos.data?.videos) || []
  const foundConsumers = (isAsked && consumers.data?.response) || []
  const groups: ChoiceGroup[] = [
    {
      title: videos.data?.corrected ? strings.videosFor(videos.data.corrected) : strings.videos,
      choices: foundVideos.map(({ video, words, time }) => ({
        id: `video-${video._id}`,
        label: video.title,
        hint: words ?? stateOf(video).words,
        icon: 'video',
        run: () => open(`/videos/${video._id}`, time === undefined ? undefined : { t: time }),
      })),
    },
    {
      title: strings.consumers,
      choices: foundConsumers.map(({ _id, name, email }) => ({
        id: `consumer-${_id}`,
        label: name ?? email,
        hint: name ? email : undefined,
        icon: 'user',
        run: () => open(`/consumers/${_id}`),
      })),
    },
  ]
  return {
    groups,
    isSearching: videos.isFetching || consumers.isFetching,
    isFailed: videos.isError || consumers.isError,
  }
}
