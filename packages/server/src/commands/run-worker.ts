import { randomBytes } from 'node:crypto'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../config/config.js'
import type { Database } from '../db/database.js'
import { eventBodies } from '../features/events/bodies.js'
import { isMishap, outageOf } from '../films/mishap.js'
import { endWaiting, explainWaiting } from '../films/waiting.js'
import { jobs } from '../jobs/index.js'
import { createNetworks } from '../lib/networks.js'
import { bringBack } from '../library/set-aside.js'
import { openMailer } from '../mail/mailer.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import { makeForOthers } from '../media-segments/segments.js'
import { openMedia, refuseBesideFilms } from '../open-media.js'
import { joinPlatform } from '../platform.js'
import { startWorker } from '../queue/worker.js'
import { startSender } from '../webhooks/sender.js'
import type { CommandContext } from './define-command.js'
import type { Log } from './log.js'
import { lookForFfmpeg, untilFfmpeg } from './look-for-ffmpeg.js'
import { stopSignal, untilStopped } from './until-stopped.js'
import { introduce, parentGone } from './worker-processes.js'

const nice = 3
/** Parallel jobs that do not encode, such as mails, in addition to those that do. */
const lightJobs = 3

/** Runs jobs and makes video until asked to stop. */
export async function runWorker({
  config,
  problems,
}: Pick<CommandContext, 'config' | 'problems'>): Promise<void> {
  // Requests and the database have priority over workers, and workers over ffmpeg.
  setPriority(nice)
  const asked = Promise.race([stopSignal(), parentGone()])
  if (problems.length > 0) throw new StartError(problems)
  await untilStopped(config, asked, async ({ logger }, onClose) => {
    const log = logger.child({ from: 'worker' })
    const ffmpeg = lookForFfmpeg(config)
    const platform = await joinPlatform(config, { beforeNew: () => refuseBesideFilms(config) })
    if (!platform) throw new StartError([noServer(config.dataDir)])
    onClose(platform.close)
    const { database, sealer, connectionUrl } = platform
    const { apiUrl, loginUrl, playerUrl, mediaUrl, eventDays, encoders } = config
    const id = randomBytes(12).toString('hex')
    const media = await openMedia(config, database, ffmpeg, { holder: id })
    await makeForOthers(database, media)
    void returnFilms(database, media, log)
    const mailer = openMailer({
      smtpUrl: config.smtpUrl,
      from: config.mailFrom,
      outbox: join(config.dataDir, 'outbox'),
      log,
    })
    onClose(mailer.close)
    const stopping = new AbortController()
    const { signal } = stopping
    const onError = (err: unknown) =>
      log.warn({ err }, 'work in the background failed; it will be tried again')
    const hasFfmpeg = () => media.ffmpeg.current() !== undefined
    const running = startWorker({
      id,
      connectionUrl,
      jobs,
      context: {
        ...{ database, sealer, mailer, media, eventDays, signal, log },
        ...{ apiUrl, loginUrl, playerUrl, mediaUrl },
      },
      concurrency: encoders + lightJobs,
      backgroundConcurrency: encoders,
      makesWindows: hasFfmpeg,
      canRun: ({ needsFfmpeg }) => !needsFfmpeg || hasFfmpeg(),
      mayReachOut: media.lease.isHeld,
      isMishap,
      outageOf,
      onError,
    })
    const sender = await startSender({
      database,
      sealer,
      reach: {
        allow: createNetworks(config.webhookNetworks),
        onRefused: (err) => log.info({ err }, 'a webhook was not called'),
      },
      readBodies: (events) => eventBodies(database.db, events),
      maySend: media.lease.isHeld,
      onError,
    })
    onClose(async () => {
      stopping.abort()
      await Promise.all([running.stop(), sender.stop(), media.windows.close()])
    })
    introduce(id)
    // The server's welcome already counts the workers it starts.
    log[process.connected ? 'debug' : 'info']({ worker: id, encoders }, 'a worker is running')
    const { db } = database
    const onMissing = () => explainWaiting(db, media.ffmpeg.problem()).catch(onError)
    void untilFfmpeg(media.ffmpeg, signal, log, onMissing).then(async (ffmpeg) => {
      if (!ffmpeg) return
      for (const lack of ffmpeg.sandbox.lacks) log.warn(lack)
      await endWaiting(db).catch(onError)
      running.takeMore()
    })
  })
}

/**
 * A newer backup of the database may have been restored: films that have a row again are restored at once.
 */
async function returnFilms(
  { db }: Database,
  { storage, trouble }: MediaParts,
  log: Log['logger'],
): Promise<void> {
  try {
    if (await trouble.look()) return
    const files = await bringBack(db, storage)
    if (files > 0) log.info({ files }, 'brought back files of films and images that the database knows again')
  } catch (err) {
    log.warn({ err }, 'films that were set aside could not be looked through; it will be tried again')
  }
}

const noServer = (folder: string) =>
  `No server runs on the folder ${folder}. Start one with \`zoetrope start\`, or set DATA_DIR to the folder of one that runs, or DATABASE_URL and SECRET_KEY to those of a server on another machine.`
