import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Paths are relative to a file in `src/installation` or `dist/installation`: both lead to the same place. */
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** In a package made by `npm pack` they are beside the server, in a checkout in the packages that build them. */
const isPacked = existsSync(at('../../web'))

/** The script of the player. */
export const playerScript = at(
  isPacked ? '../../web/zoetrope-player.js' : '../../../player/dist/zoetrope-player.js',
)

/** The built files of the dashboard. */
export const dashboardFolder = at(isPacked ? '../../web/dashboard' : '../../../dashboard/dist')
