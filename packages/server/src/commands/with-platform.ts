import { StartError } from '../config/config.js'
import type { Database } from '../db/database.js'
import { claimFolder } from '../db/embedded/claim-folder.js'
import { openStorage } from '../open-media.js'
import { joinPlatform, openPlatform, type Platform, type PlatformOptions } from '../platform.js'
import type { OpenedPlaces } from '../storage/two-places.js'
import type { CommandContext } from './define-command.js'
import { surviveLostConnections } from './until-stopped.js'

/** Works on the database of the running server, or starts its PostgreSQL for the duration of the work. */
export async function withPlatform<T>(
  { config, problems }: CommandContext,
  work: (platform: Platform) => Promise<T>,
  options: PlatformOptions = {},
): Promise<T> {
  if (problems.length > 0) throw new StartError(problems)
  surviveLostConnections(() => {})
  const joined = await joinPlatform(config, options)
  if (joined) return work(joined).finally(() => joined.close())
  const claim = await claimFolder(config.dataDir).catch((error: Error) => {
    throw new StartError([error.message])
  })
  try {
    const platform = await openPlatform(config, () => {}, options)
    return await work(platform).finally(() => platform.close())
  } finally {
    claim.release()
  }
}

/** Works on the database and on the storage of the films. */
export const withPlaces = <T>(
  context: CommandContext,
  work: (database: Database, places: OpenedPlaces) => Promise<T>,
): Promise<T> =>
  withPlatform(context, async ({ database }) => work(database, await openStorage(context.config, database)))
