import type { FunctionComponent } from 'react'
import type { Need } from '../data/may-do.js'
import type { IconName } from '../ui/icons.js'

export interface PageEntry {
  /** Its address below /dashboard; parts like $id are parameters. */
  readonly path: string
  /** Fetched when the page is first opened. */
  readonly load: () => Promise<{ readonly Page: FunctionComponent }>
  /** Its place in the navigation; without it, other pages lead here. */
  readonly menu?: {
    readonly label: string
    readonly icon: IconName
    readonly group?: string
  }
  /** What its visitor has to be allowed to do; others are not led there, and are told whom to ask. */
  readonly needs?: Need
  /** What it is called where the navigation does not say. */
  readonly title?: string
  /** Open to people who are not signed in. */
  readonly isPublic?: true
}

/** Every page of the dashboard, in the order of the navigation. A new page is one line here. */
export const pages: readonly PageEntry[] = [
  { path: '/', load: () => import('../pages/home/page.js'), menu: { label: 'Home', icon: 'home' } },
  {
    path: '/videos',
    load: () => import('../pages/videos/page.js'),
    menu: { label: 'Videos', icon: 'video' },
  },
  {
    path: '/upload',
    load: () => import('../pages/upload/page.js'),
    needs: ['uploads', 'create'],
    title: 'Upload',
  },
  {
    path: '/import',
    load: () => import('../pages/import/page.js'),
    needs: ['videos', 'create'],
    title: 'Import',
  },
  { path: '/videos/$id', load: () => import('../pages/video/page.js') },
  {
    path: '/playlists',
    load: () => import('../pages/playlists/page.js'),
    menu: { label: 'Playlists', icon: 'list', group: 'Library' },
  },
  { path: '/playlists/$id', load: () => import('../pages/playlists/record.js') },
  {
    path: '/categories',
    load: () => import('../pages/categories/page.js'),
    menu: { label: 'Categories', icon: 'tag', group: 'Library' },
  },
  { path: '/categories/$id', load: () => import('../pages/categories/record.js') },
  {
    path: '/zobject-types',
    load: () => import('../pages/zobject-types/page.js'),
    menu: { label: 'Objects', icon: 'shapes', group: 'Library' },
  },
  { path: '/zobject-types/$id', load: () => import('../pages/zobject-types/record.js') },
  { path: '/zobjects/$type', load: () => import('../pages/zobjects/page.js') },
  { path: '/zobjects/$type/$id', load: () => import('../pages/zobjects/record.js') },
  {
    path: '/video-sources',
    load: () => import('../pages/video-sources/page.js'),
    menu: { label: 'Sources', icon: 'link', group: 'Library' },
  },
  { path: '/video-sources/$id', load: () => import('../pages/video-sources/record.js') },
  {
    path: '/feeds',
    load: () => import('../pages/feeds/page.js'),
    menu: { label: 'Feeds', icon: 'out', group: 'Library' },
  },
  { path: '/feeds/$id', load: () => import('../pages/feeds/record.js') },
  {
    path: '/plans',
    load: () => import('../pages/plans/page.js'),
    menu: { label: 'Plans', icon: 'card', group: 'Library' },
  },
  { path: '/plans/$id', load: () => import('../pages/plans/record.js') },
  {
    path: '/passes',
    load: () => import('../pages/passes/page.js'),
    menu: { label: 'Passes', icon: 'calendar', group: 'Library' },
  },
  { path: '/passes/$id', load: () => import('../pages/passes/record.js') },
  {
    path: '/audience-rules',
    load: () => import('../pages/audience-rules/page.js'),
    menu: { label: 'Audience rules', icon: 'globe', group: 'Library' },
  },
  { path: '/audience-rules/$id', load: () => import('../pages/audience-rules/record.js') },
  {
    path: '/ad-tags',
    load: () => import('../pages/ad-tags/page.js'),
    menu: { label: 'Ad tags', icon: 'megaphone', group: 'Library' },
  },
  { path: '/ad-tags/$id', load: () => import('../pages/ad-tags/record.js') },
  {
    path: '/program-guides',
    load: () => import('../pages/program-guides/page.js'),
    menu: { label: 'Program guides', icon: 'clock', group: 'Library' },
  },
  { path: '/program-guides/$id', load: () => import('../pages/program-guides/record.js') },
  {
    path: '/consumers',
    load: () => import('../pages/consumers/page.js'),
    menu: { label: 'Consumers', icon: 'users', group: 'Viewers' },
  },
  { path: '/consumers/$id', load: () => import('../pages/consumers/record.js') },
  {
    path: '/subscriptions',
    load: () => import('../pages/subscriptions/page.js'),
    menu: { label: 'Subscriptions', icon: 'again', group: 'Viewers' },
  },
  { path: '/subscriptions/$id', load: () => import('../pages/subscriptions/record.js') },
  {
    path: '/transactions',
    load: () => import('../pages/transactions/page.js'),
    menu: { label: 'Transactions', icon: 'card', group: 'Viewers' },
  },
  { path: '/transactions/$id', load: () => import('../pages/transactions/record.js') },
  {
    path: '/redemption-codes',
    load: () => import('../pages/redemption-codes/page.js'),
    menu: { label: 'Codes', icon: 'key', group: 'Viewers' },
  },
  { path: '/redemption-codes/$id', load: () => import('../pages/redemption-codes/record.js') },
  {
    path: '/keys',
    load: () => import('../pages/keys/page.js'),
    menu: { label: 'API keys', icon: 'key', group: 'Developers' },
    needs: 'keys',
  },
  {
    path: '/apps',
    load: () => import('../pages/apps/page.js'),
    menu: { label: 'Apps', icon: 'grid', group: 'Developers' },
    needs: ['apps', 'list'],
  },
  {
    path: '/apps/$id',
    load: () => import('../pages/apps/record.js'),
    needs: ['apps', 'get'],
    title: 'App',
  },
  {
    path: '/requests',
    load: () => import('../pages/requests/page.js'),
    menu: { label: 'Request log', icon: 'code', group: 'Developers' },
    needs: 'requests',
  },
  {
    path: '/settings/channel',
    load: () => import('../pages/settings-channel/page.js'),
    menu: { label: 'Channel', icon: 'settings', group: 'Settings' },
  },
  {
    path: '/settings/player',
    load: () => import('../pages/settings-player/page.js'),
    menu: { label: 'Player', icon: 'play', group: 'Settings' },
  },
  {
    path: '/settings/formats',
    load: () => import('../pages/formats/page.js'),
    menu: { label: 'Formats', icon: 'film', group: 'Settings' },
  },
  {
    path: '/settings/status',
    load: () => import('../pages/settings-status/page.js'),
    menu: { label: 'Status', icon: 'chart', group: 'Settings' },
    needs: 'status',
  },
  {
    path: '/team',
    load: () => import('../pages/team/page.js'),
    menu: { label: 'Team', icon: 'users', group: 'Settings' },
    needs: 'team',
  },
  { path: '/account', load: () => import('../pages/account/page.js') },
  { path: '/welcome', load: () => import('../pages/welcome/page.js'), isPublic: true },
  { path: '/invitation/$token', load: () => import('../pages/invitation/page.js'), isPublic: true },
]
