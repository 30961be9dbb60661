import type { ComponentType } from 'react'
import type { IconName } from '../ui/icons.js'

export interface PageEntry {
  /** Its address below /dashboard; parts like $id are parameters. */
  readonly path: string
  /** Fetched when the page is first opened. */
  readonly load: () => Promise<{ readonly Page: ComponentType }>
  /** Its place in the navigation; without it, other pages lead here. */
  readonly menu?: { readonly label: string; readonly icon: IconName; readonly group?: string }
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
  { path: '/videos/$id', load: () => import('../pages/video/page.js') },
]
