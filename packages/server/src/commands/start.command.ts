import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp } from '../app.js'
import { setUpOnce } from '../auth/first-run.js'
import { openPasswords } from '../auth/passwords.js'
import { createPrincipals } from '../auth/principals.js'
import type { Config } from '../config.js'
import { openCountryFile } from '../countries/country-file.js'
import { createPlaces } from '../countries/places.js'
import type { Database } from '../db/database.js'
import {
  draftCredentials,
  publishCredentials,
  refreshCredentials,
  refreshKey,
} from '../installation/files.js'
import { openFreshness } from '../lists/freshness.js'
import { openMailer } from '../mail/mailer.js'
import type { FfmpegOpening } from '../media/open-ffmpeg.js'
import { endLeases } from '../media-segments/window-leases.js'
import { openElsewhere } from '../media-segments/window-wishes.js'
import { openMedia } from '../open-media.js'
import { openPlatform, type Platform } from '../platform.js'
import { dismissWorker } from '../queue/presence.js'
import { countJobs } from '../queue/worker.js'
import type { Parts } from '../resources/feature.js'
import { version } from '../version.js'
import type { Command } from './define-command.js'
import type { Log } from './log.js'
import { lookForFfmpeg } from './look-for-ffmpeg.js'
import { preflight } from './preflight.js'
import { stopSignal, untilStopped } from './until-stopped.js'
import { welcome } from './welcome.js'
import { startWorkerProcesses } from './worker-processes.js'

/** From the sources and from what is compiled it is the same way. */
const playerScript = fileURLToPath(new URL('../../../player/dist/zoetrope-player.js', import.meta.url))
const dashboardFolder = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url))

export const start: Command = {
  usage: 'zoetrope start',
  about: 'Starts the platform: the API, workers beside it and, without DATABASE_URL, its own PostgreSQL.',
  async run(_args, { config, problems, print }) {
    // Listened to from the beginning: what a start has begun when Ctrl-C comes must be ended too.
    const asked = stopSignal()
    const claim = await preflight(config, problems)
    await untilStopped(config, asked, async (log, onClose) => {
      onClose(claim.release)
      const ffmpeg = lookForFfmpeg(config)
      const platform = await openPlatform(config, (line) => log.logger.debug({ from: 'postgresql' }, line))
      onClose(platform.close)
      const server = await serve(config, platform, log, ffmpeg)
      onClose(server.stop)
      const workers = startWorkerProcesses({
        count: config.workers,
        onGone: (id) => takeBack(platform.database, id),
        log: log.logger,
      })
      onClose(workers.stop)
      print(server.welcome)
    })
  },
}

/** What a worker had in hand when it ended is free at once. */
async function takeBack({ db }: Database, id: string): Promise<void> {
  await endLeases(db, id)
  await dismissWorker(db, id)
}

async function serve(config: Config, platform: Platform, log: Log, ffmpeg: Promise<FfmpegOpening>) {
  const { database, sealer } = platform
  const onError = (error: unknown) =>
    log.logger.warn({ err: error }, 'work in the background failed; it will be tried again')
  // Comes before anything is written to the database: it may be the wrong one.
  const media = await openMedia(config, database, ffmpeg, { elsewhere: openElsewhere(database) })
  if (!media.ffmpeg) log.logger.warn(media.withoutFfmpeg)
  const trouble = media.trouble.seen()
  if (trouble) log.logger.warn(trouble)
  const made = await setUpOnce(database, sealer, config.apiUrl, (credentials) =>
    draftCredentials(config.dataDir, credentials),
  )
  await publishCredentials(config.dataDir)
  const credentialsPath = await refreshCredentials(config.dataDir, config.apiUrl)

  const file = config.countryFile ? await openCountryFile(config.countryFile, onError) : undefined
  const freshness = await openFreshness(database, onError)
  const passwords = openPasswords()
  const parts: Parts = {
    database,
    sealer,
    freshness,
    passwords,
    principals: createPrincipals(database.db, sealer),
    lifetimes: {
      accessSeconds: config.accessTokenSeconds,
      refreshDays: config.refreshTokenDays,
      sessionDays: config.sessionDays,
    },
    loginUrl: config.loginUrl,
    playerUrl: config.playerUrl,
    apiUrl: config.apiUrl,
    files: media,
  }
  const mailer = openMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    outbox: join(config.dataDir, 'outbox'),
    log: log.logger,
  })
  const app = await createApp({
    parts,
    media,
    player: { playerUrl: config.playerUrl, playerScript },
    dashboardFolder,
    keepKey: (channelId, kind, key) => refreshKey(config.dataDir, channelId, kind, key),
    mail: { mailer, isConfigured: config.smtpUrl !== undefined, from: config.mailFrom },
    gauges: {
      connections: () => database.connections(),
      jobs: () => countJobs(database.db),
    },
    log: log.logger,
    apiUrl: config.apiUrl,
    version,
    answerBytes: config.cacheBytes,
    trustedProxies: config.trustedProxies,
    places: createPlaces({ file, header: config.countryHeader, trustedProxies: config.trustedProxies }),
  })
  await app.listen({ port: config.port, host: config.host })
  return {
    welcome: welcome({ config, made, credentialsPath }),
    async stop() {
      await app.close()
      await mailer.close()
      await media.windows.close()
      await passwords.close()
      freshness.close()
      file?.close()
    },
  }
}
