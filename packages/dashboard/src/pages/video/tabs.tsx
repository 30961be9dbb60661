import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { TabProps } from './tab-props.js'

type Load = () => Promise<ComponentType<TabProps>>

const tab = (load: Load): LazyExoticComponent<ComponentType<TabProps>> =>
  lazy(async () => ({ default: await load() }))

/** The tabs in order. Each loads when it is first opened. */
export const tabs = {
  details: tab(async () => (await import('./details-tab.js')).DetailsTab),
  schedule: tab(async () => (await import('./schedule-tab.js')).ScheduleTab),
  access: tab(async () => (await import('./access-tab.js')).AccessTab),
  poster: tab(async () => (await import('./poster-tab.js')).PosterTab),
  chapters: tab(async () => (await import('./chapters-tab.js')).ChaptersTab),
  subtitles: tab(async () => (await import('./subtitles-tab.js')).SubtitlesTab),
  appears: tab(async () => (await import('./appears-tab.js')).AppearsTab),
  statistics: tab(async () => (await import('./statistics-tab.js')).StatisticsTab),
  history: tab(async () => (await import('./history-tab.js')).HistoryTab),
  embed: tab(async () => (await import('./embed-tab.js')).EmbedTab),
  api: tab(async () => (await import('./api-tab.js')).ApiTab),
} as const

export type TabName = keyof typeof tabs

export const tabNames = Object.keys(tabs) as readonly TabName[]

export const isTabName = (name: unknown): name is TabName => tabNames.includes(name as TabName)
