import { join } from 'node:path'
import { createApp } from '../app.js'
import { setUpOnce } from '../auth/first-run.js'
import { openPasswords } from '../auth/passwords.js'
import { createPrincipals } from '../auth/principals.js'
import { firstSignInLink } from '../auth/sign-in-links.js'
import type { Config } from '../config/config.js'
import { bucketOrigin } from '../config/storage-url.js'
import { openCountryFile } from '../countries/country-file.js'
import { createGeoLookup } from '../countries/geo-lookup.js'
import type { Database } from '../db/database.js'
import {
  draftCredentials,
  dropPassword,
  publishCredentials,
  refreshCredentials,
  refreshKey,
} from '../installation/files.js'
import { dashboardFolder, playerScript } from '../installation/web-files.js'
import { jobs } from '../jobs/index.js'
import { keepEventDays } from '../jobs/keep-events.job.js'
import { followMediaUrl } from '../jobs/readdress-pictures.job.js'
import { createNetworks } from '../lib/networks.js'
import { openFigures } from '../library/figures.js'
import { type KnownTrouble, openWatch } from '../library/watch.js'
import { openFreshness } from '../lists/freshness.js'
import { openReplica, type Replica } from '../lists/replica.js'
import { openMailer } from '../mail/mailer.js'
import type { LocalFfmpeg } from '../media/open-ffmpeg.js'
import { endLeases } from '../media-segments/window-leases.js'
import { openElsewhere } from '../media-segments/window-requests.js'
import { openMedia } from '../open-media.js'
import type { Platform } from '../platform.js'
import type { IdentityProvider } from '../publishers/identity-provider.js'
import { dismissWorker } from '../queue/presence.js'
import type { Parts } from '../resources/feature.js'
import type { DiskFolders } from '../storage/disks.js'
import { version } from '../version.js'
import type { Log } from './log.js'
import { untilFfmpeg } from './look-for-ffmpeg.js'
import { welcome } from './welcome.js'

/** Opens the HTTP server on a platform, and listens. */
export async function serve(config: Config, platform: Platform, log: Log, ffmpeg: Promise<LocalFfmpeg>) {
  const { database, sealer } = platform
  const onError = (error: unknown) =>
    log.logger.warn({ err: error }, 'work in the background failed; it will be tried again')
  // Before anything is written to the database, because it may be the wrong one.
  const media = await openMedia(config, database, ffmpeg, { elsewhere: openElsewhere(database) })
  const made = await setUpOnce(database, sealer, config.apiUrl, (credentials) =>
    draftCredentials(config.dataDir, credentials),
  )
  await followMediaUrl(database.db, config.mediaUrl)
  // Tried again by a job: events without a partition of their own are kept too.
  await keepEventDays(database.db, config.eventDays).catch(onError)
  await publishCredentials(config.dataDir)
  const credentialsPath = await refreshCredentials(config.dataDir, config.apiUrl)
  // A service's output is kept as a log, so it contains the link only at the very first start.
  const mayShowLink = config.oidc?.allowsPasswords !== false && (made !== undefined || process.stdout.isTTY)
  const signInLink = mayShowLink ? await firstSignInLink(database.db, sealer, config.apiUrl) : undefined

  const file = config.countryFile ? await openCountryFile(config.countryFile, onError) : undefined
  const freshness = await openFreshness(database, onError)
  const passwords = openPasswords()
  const stopping = new AbortController()
  void untilFfmpeg(media.ffmpeg, stopping.signal, log.logger)
  const replica = replicaOf(config, log)
  const parts: Parts = {
    database,
    replica,
    sealer,
    freshness,
    passwords,
    cache: media.cache,
    principals: createPrincipals(database.db, sealer),
    lifetimes: {
      accessSeconds: config.accessTokenSeconds,
      refreshDays: config.refreshTokenDays,
      sessionDays: config.sessionDays,
    },
    loginUrl: config.loginUrl,
    playerUrl: config.playerUrl,
    mediaUrl: config.mediaUrl,
    apiUrl: config.apiUrl,
    canMail: config.smtpUrl !== undefined,
    allows: { receiver: createNetworks(config.webhookNetworks), import: media.isReachable },
    files: media,
  }
  const disks = disksIn(config)
  const watch = openWatch({
    database,
    jobs,
    store: media.trouble,
    disks,
    others: () => replicaTrouble(replica),
  })
  void watch.keepLooking(log.logger, stopping.signal)
  const mailer = openMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    outbox: join(config.dataDir, 'outbox'),
    log: log.logger,
  })
  const app = await createApp({
    parts,
    media,
    player: { playerUrl: config.playerUrl, playerScript, storeUrl: storeUrlIn(config) },
    dashboardFolder,
    keepKey: (channelId, kind, key) => refreshKey(config.dataDir, channelId, kind, key),
    // The password is already changed, whether or not the file can be written.
    dropPassword: (email, emailNow) => dropPassword(config.dataDir, email, emailNow).catch(onError),
    mail: { mailer, from: config.mailFrom },
    provider: await openProvider(config),
    figures: openFigures({ database, jobs, store: media.trouble, disks }),
    watch,
    disks,
    log: log.logger,
    apiUrl: config.apiUrl,
    version,
    answerBytes: config.cacheBytes,
    trustedProxies: config.trustedProxies,
    geo: createGeoLookup({
      file,
      header: config.countryHeader,
      trustedProxies: config.trustedProxies,
      warn: (problem) => log.logger.warn(problem),
    }),
  })
  await app.listen({ port: config.port, host: config.host })
  return {
    welcome: welcome({
      config,
      made,
      credentialsPath,
      signInLink,
      ffmpegProblem: media.ffmpeg.problem(),
    }),
    takeBack: (workerId: string) => takeBack(database, workerId),
    async stop() {
      stopping.abort()
      await app.close()
      await replica?.close()
      await mailer.close()
      await media.windows.close()
      await media.lease.release()
      await passwords.close()
      freshness.close()
      file?.close()
    },
  }
}

/** The origin of the bucket, if viewers are sent on to it. */
const storeUrlIn = ({ delivery, storage }: Config): string | undefined =>
  delivery === 'redirect' && storage.kind === 's3' ? bucketOrigin(storage) : undefined

function replicaOf(
  { databaseReplicaUrl, databaseConnections }: Config,
  { logger }: Log,
): Replica | undefined {
  if (!databaseReplicaUrl) return undefined
  const onChange = (trouble: string | undefined) => {
    if (trouble) logger.warn(trouble)
    else logger.info('Lists are read from DATABASE_REPLICA_URL again.')
  }
  return openReplica({ connection: databaseReplicaUrl, connections: databaseConnections, onChange })
}

const replicaTrouble = (replica: Replica | undefined): KnownTrouble[] => {
  const sentence = replica?.trouble()
  return sentence ? [{ about: 'replica', sentence }] : []
}

/** The folders that may fill a disk of this machine. */
const disksIn = ({ dataDir, databaseUrl, storage, cacheDir }: Config): DiskFolders => ({
  ...(storage.kind === 'disk' ? { films: storage.folder } : { cache: cacheDir }),
  ...(databaseUrl ? {} : { database: join(dataDir, 'postgres') }),
})

/** Releases the jobs and windows of a worker that ended. */
async function takeBack({ db }: Database, id: string): Promise<void> {
  await endLeases(db, id)
  await dismissWorker(db, id)
}

/** Loads the code only if it is used. */
async function openProvider({ oidc, apiUrl }: Config): Promise<IdentityProvider | undefined> {
  if (!oidc) return undefined
  const { openIdentityProvider } = await import('../publishers/openid.js')
  return openIdentityProvider(oidc, apiUrl)
}
