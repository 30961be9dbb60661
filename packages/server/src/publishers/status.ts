import type { Status } from '@zoetrope/contract'
import { ApiError, tooMany } from '../errors.js'
import { roomIn, storageUse } from '../films/quota.js'
import { createBoundedMap } from '../lib/bounded-map.js'
import { html } from '../lib/html.js'
import type { KnownTrouble } from '../library/watch.js'
import { countJobsOf, readWorkers } from '../queue/queue-state.js'
import type { ChannelEndpoint, EndpointResult, InChannel } from './request.js'

/** The state of the installation: what is wrong, mail, storage and encoding. */
export async function showStatus({
  parts,
  media,
  watch,
  mail,
  siteId,
  request,
}: InChannel): Promise<EndpointResult<Status>> {
  const { db } = parts.database
  const [storage, troubles, free, jobs, { alive, encoding }, [videos]] = await Promise.all([
    storageUse(db, media, siteId),
    watch.look(),
    roomIn(media),
    countJobsOf(db, siteId),
    readWorkers(db),
    db<Status['encoding']['videos'][]>`
      select (count(*) filter (where status in ('uploading', 'processing')))::int as waiting,
        (count(*) filter (where status = 'failed'))::int as failed,
        (count(*) filter (where status = 'ready' and complete_at is null and media_source_id is not null))::int as encoding
      from videos where site_id = ${siteId} and deleted_at is null
        and (status in ('uploading', 'processing', 'failed') or complete_at is null)
    `,
  ])
  return {
    body: {
      countries: { problem: request.geo.problem ?? null },
      problems: troubles.filter((trouble) => !isAboutStorage(trouble)).map(({ sentence }) => sentence),
      mail: { configured: parts.canMail, from: mail.from },
      storage: {
        bytes: storage.used,
        made_bytes: storage.made,
        limit_bytes: storage.limit ?? null,
        free_bytes: Number.isFinite(free) ? free : null,
        problem: troubles.find(isAboutStorage)?.sentence ?? null,
      },
      encoding: {
        workers: { alive, encoding },
        jobs,
        videos: videos ?? { waiting: 0, encoding: 0, failed: 0 },
        ffmpeg: ffmpegOf(media),
        problem: media.ffmpeg.problem() || null,
      },
    },
  }
}

const isAboutStorage = ({ about }: KnownTrouble) => about === 'storage'

/** The ffmpeg of this server. Workers on other machines have their own. */
function ffmpegOf({ ffmpeg }: InChannel['media']) {
  const { version, origin } = ffmpeg.current()?.programs ?? {}
  return version && origin ? { version, origin } : null
}

const pauseMs = 15_000
/** When each publisher last sent a test mail. */
const testMailCache = () => createBoundedMap<number>(1000)

/** Sends a mail to the publisher who asks, as all mails are sent; throws what the mail server said. */
export const sendTestMail: ChannelEndpoint<{ to: string; delivered: boolean }> = async ({
  parts,
  session,
  mail,
}) => {
  const { _id, email } = session.user
  const lastSent = parts.cache(testMailCache)
  const wait = (lastSent.get(_id) ?? 0) + pauseMs - Date.now()
  if (wait > 0) throw tooMany(Math.ceil(wait / 1000))
  lastSent.set(_id, Date.now())
  const sentence = 'This mail was sent from the dashboard, to see whether mail works. It does.'
  const message = {
    to: email,
    subject: 'Mail works',
    text: `${sentence}\n`,
    html: html`<p>${sentence}</p>`.html,
  }
  try {
    await mail.mailer.send(message)
  } catch (error) {
    throw new ApiError(503, error instanceof Error ? error.message : 'The mail could not be sent.')
  }
  return { body: { to: email, delivered: parts.canMail } }
}
