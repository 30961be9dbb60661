import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp } from '../app.js'
import { setUpOnce } from '../auth/first-run.js'
import { openPasswords } from '../auth/passwords.js'
import { createPrincipals } from '../auth/principals.js'
import type { Config } from '../config.js'
import { draftCredentials, publishCredentials, refreshCredentials } from '../installation/files.js'
import { jobs } from '../jobs/index.js'
import { openFreshness } from '../lists/freshness.js'
import { openMailer } from '../mail/mailer.js'
import { type FfmpegOpening, openFfmpeg } from '../media/open-ffmpeg.js'
import { openMedia } from '../open-media.js'
import { openPlatform, type Platform } from '../platform.js'
import { countJobs, startWorker } from '../queue/worker.js'
import type { Parts } from '../resources/feature.js'
import { version } from '../version.js'
import type { Command } from './define-command.js'
import { type Log, openLog } from './log.js'
import { preflight } from './preflight.js'
import { welcome } from './welcome.js'

const workerConcurrency = 2
/** From the sources and from what is compiled it is the same way. */
const playerScript = fileURLToPath(new URL('../../../player/dist/zoetrope-player.js', import.meta.url))

export const start: Command = {
  usage: 'zoetrope start',
  about: 'Starts the platform: the API, its workers and, without DATABASE_URL, its own PostgreSQL.',
  async run(_args, { config, problems, print }) {
    // Listened to from the beginning: what a start has begun when Ctrl-C comes must be ended too.
    const asked = stopSignal()
    const claim = await preflight(config, problems)
    const log = openLog(config, process.stdout.isTTY === true)
    const opened: (() => Promise<void> | void)[] = [claim.release]
    const closeAll = async () => {
      for (const close of opened.reverse()) await close()
    }
    try {
      // Looked for while the database starts.
      const ffmpeg = openFfmpeg({ ffmpegPath: config.ffmpegPath, searchPath: config.searchPath })
      ffmpeg.catch(() => {})
      const platform = await openPlatform(config, (line) => log.logger.debug({ from: 'postgresql' }, line))
      opened.push(platform.close)
      const running = await serve(config, platform, log, ffmpeg)
      opened.push(running.stop)
      print(running.welcome)
    } catch (error) {
      await closeAll()
      throw error
    }
    await asked
    log.logger.info('stopping')
    await closeAll()
    log.logger.info('stopped')
    log.flush()
    process.exit(0)
  },
}

/** Resolves at the first Ctrl-C or SIGTERM. Later ones change nothing: the first is being obeyed. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
  })
}

async function serve(config: Config, platform: Platform, log: Log, ffmpeg: Promise<FfmpegOpening>) {
  const { database, sealer, connectionUrl } = platform
  const onError = (error: unknown) =>
    log.logger.warn({ err: error }, 'work in the background failed; it will be tried again')
  const made = await setUpOnce(database, sealer, config.apiUrl, (credentials) =>
    draftCredentials(config.dataDir, credentials),
  )
  await publishCredentials(config.dataDir)
  const credentialsPath = await refreshCredentials(config.dataDir, config.apiUrl)

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
  }
  const media = await openMedia(config, database, ffmpeg)
  if (!media.ffmpeg) log.logger.warn(media.withoutFfmpeg)
  const app = await createApp({
    parts,
    media,
    player: { playerUrl: config.playerUrl, playerScript },
    gauges: {
      connections: () => database.connections(),
      jobs: () => countJobs(database.db),
    },
    log: log.logger,
    apiUrl: config.apiUrl,
    version,
    answerBytes: config.cacheBytes,
    trustedProxies: config.trustedProxies,
  })
  await app.listen({ port: config.port, host: config.host })
  const mailer = openMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    outbox: join(config.dataDir, 'outbox'),
    log: log.logger,
  })
  const stopping = new AbortController()
  const worker = startWorker({
    connectionUrl,
    jobs,
    context: {
      database,
      sealer,
      mailer,
      media,
      loginUrl: config.loginUrl,
      playerUrl: config.playerUrl,
      signal: stopping.signal,
      log: log.logger,
    },
    concurrency: workerConcurrency,
    onError,
  })
  return {
    welcome: welcome({ config, made, credentialsPath }),
    async stop() {
      stopping.abort()
      await app.close()
      await media.windows.close()
      await worker.stop()
      await mailer.close()
      await passwords.close()
      freshness.close()
    },
  }
}
