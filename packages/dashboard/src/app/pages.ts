import type { Need } from '../data/may-do.js'
import type { IconName } from '../ui/icons.js'

export interface PageEntry {
  /** The path below /dashboard. Parts like $id are parameters. */
  readonly path: string
  /** The module below `src/pages` that exports it, without the extension. */
  readonly file: string
  /** The name of the component in the module, if it is not `Page`. */
  readonly shows?: 'List' | 'Record'
  /** Its entry in the navigation. Without one, other pages link to it. */
  readonly menu?: {
    readonly label: string
    readonly icon: IconName
    readonly group?: string
  }
  /** What the user must be allowed to do. Others see no link to it, and a notice instead of the page. */
  readonly needs?: Need
  /** Its title, if it has no entry in the navigation. */
  readonly title?: string
  /** Also shown to people who are not signed in. */
  readonly isPublic?: true
}

/** The list of a kind of record, and the page of one record below it. Not every role may read all resources. */
const recordPages = (
  path: string,
  menu: NonNullable<PageEntry['menu']>,
  resource?: 'redemption_codes',
): readonly PageEntry[] => {
  const file = `${path.slice(1)}/pages`
  return [
    { path, file, shows: 'List', menu, ...(resource && { needs: [resource, 'list'] }) },
    {
      path: `${path}/$id`,
      file,
      shows: 'Record',
      ...(resource && { needs: [resource, 'get'], title: menu.label }),
    },
  ]
}

/** Every page of the dashboard, in the order of the navigation. A new page is one entry here. */
export const pages: readonly PageEntry[] = [
  { path: '/', file: 'home/page', menu: { label: 'Home', icon: 'home' } },
  {
    path: '/videos',
    file: 'videos/page',
    menu: { label: 'Videos', icon: 'video' },
  },
  { path: '/trash', file: 'trash/page', menu: { label: 'Trash', icon: 'trash' } },
  {
    path: '/activity',
    file: 'activity/page',
    menu: { label: 'Activity', icon: 'clock' },
    needs: ['events', 'list'],
  },
  {
    path: '/upload',
    file: 'upload/page',
    needs: ['uploads', 'create'],
    title: 'Upload',
  },
  {
    path: '/import',
    file: 'csv-import/page',
    needs: ['videos', 'create'],
    title: 'Import',
  },
  { path: '/videos/$id', file: 'video/page' },
  { path: '/videos/$id/subtitles/$subtitle', file: 'subtitle-editor/page' },
  ...recordPages('/playlists', { label: 'Playlists', icon: 'list', group: 'Library' }),
  ...recordPages('/categories', { label: 'Categories', icon: 'tag', group: 'Library' }),
  ...recordPages('/zobject-types', { label: 'Objects', icon: 'shapes', group: 'Library' }),
  { path: '/zobjects/$type', file: 'zobjects/pages', shows: 'List' },
  { path: '/zobjects/$type/$id', file: 'zobjects/pages', shows: 'Record' },
  ...recordPages('/video-sources', { label: 'Sources', icon: 'link', group: 'Library' }),
  ...recordPages('/feeds', { label: 'Feeds', icon: 'out', group: 'Library' }),
  ...recordPages('/plans', { label: 'Plans', icon: 'card', group: 'Library' }),
  ...recordPages('/passes', { label: 'Passes', icon: 'calendar', group: 'Library' }),
  ...recordPages('/audience-rules', { label: 'Audience rules', icon: 'globe', group: 'Library' }),
  ...recordPages('/ad-tags', { label: 'Ad tags', icon: 'megaphone', group: 'Library' }),
  ...recordPages('/program-guides', { label: 'Program guides', icon: 'clock', group: 'Library' }),
  ...recordPages('/consumers', { label: 'Viewers', icon: 'users', group: 'Audience' }),
  ...recordPages('/subscriptions', { label: 'Subscriptions', icon: 'again', group: 'Audience' }),
  ...recordPages('/transactions', { label: 'Transactions', icon: 'card', group: 'Audience' }),
  ...recordPages('/redemption-codes', { label: 'Codes', icon: 'key', group: 'Audience' }, 'redemption_codes'),
  {
    path: '/keys',
    file: 'keys/page',
    menu: { label: 'API keys', icon: 'key', group: 'Developers' },
    needs: 'keys',
  },
  {
    path: '/apps',
    file: 'apps/pages',
    shows: 'List',
    menu: { label: 'Apps', icon: 'grid', group: 'Developers' },
    needs: ['apps', 'list'],
  },
  { path: '/apps/$id', file: 'apps/pages', shows: 'Record', needs: ['apps', 'get'], title: 'App' },
  {
    path: '/webhooks',
    file: 'webhooks/pages',
    shows: 'List',
    menu: { label: 'Webhooks', icon: 'out', group: 'Developers' },
    needs: ['webhooks', 'list'],
  },
  {
    path: '/webhooks/$id',
    file: 'webhooks/pages',
    shows: 'Record',
    needs: ['webhooks', 'get'],
    title: 'Webhook',
  },
  {
    path: '/requests',
    file: 'requests/page',
    menu: { label: 'Request log', icon: 'code', group: 'Developers' },
    needs: 'requests',
  },
  {
    path: '/settings/channel',
    file: 'settings-channel/page',
    menu: { label: 'Channel', icon: 'settings', group: 'Settings' },
  },
  {
    path: '/settings/player',
    file: 'settings-player/page',
    menu: { label: 'Player', icon: 'play', group: 'Settings' },
  },
  {
    path: '/settings/formats',
    file: 'formats/page',
    menu: { label: 'Formats', icon: 'film', group: 'Settings' },
  },
  {
    path: '/settings/status',
    file: 'settings-status/page',
    menu: { label: 'Status', icon: 'chart', group: 'Settings' },
    needs: 'status',
  },
  {
    path: '/settings/storage',
    file: 'settings-storage/page',
    menu: { label: 'Storage', icon: 'disk', group: 'Settings' },
    needs: 'storage',
  },
  {
    path: '/team',
    file: 'team/page',
    menu: { label: 'Team', icon: 'users', group: 'Settings' },
    needs: 'team',
  },
  { path: '/account', file: 'account/page' },
  { path: '/welcome', file: 'welcome/page', isPublic: true },
  { path: '/new-password', file: 'new-password/page', isPublic: true },
  { path: '/invitation/$token', file: 'invitation/page', isPublic: true },
]
