import { account } from './resources/account.js'
import { apps } from './resources/apps.js'
import { videos } from './resources/videos.js'

/** Every resource, under the name it has in a client. */
export const catalog = { videos, apps, account } as const
export type Catalog = typeof catalog
