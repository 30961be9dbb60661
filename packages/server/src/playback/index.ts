import type { FastifyInstance } from 'fastify'
import type { MediaParts } from '../media-segments/media-parts.js'
import type { Parts } from '../resources/feature.js'
import { addActivity } from './activity.js'
import { addCarousel } from './carousel.js'
import { addDownloads } from './downloads.js'
import { addEmbed } from './embed.js'
import { addEvents } from './events.js'
import { addFeeds } from './feeds/index.js'
import { addFiles } from './files.js'
import { addFilms } from './films.js'
import { addImages } from './images.js'
import { addLive } from './live.js'
import { addMedia } from './media.js'
import { addMoments } from './moments.js'
import { addOembed } from './oembed.js'
import { addPictures } from './pictures.js'
import { addPlayerScript } from './player-script.js'
import { addPlayerSnippets } from './player-snippets.js'
import { addPlays } from './plays.js'
import { openRequestCounts } from './request-counts.js'
import { addShare } from './share.js'
import { addStatus } from './status.js'
import { addSubtitles } from './subtitles.js'

export interface PlaybackAddresses {
  /** Public address of the player. */
  readonly playerUrl: string
  /** The origin of the store that viewers are sent on to; undefined if the server sends films itself. */
  readonly storeUrl?: string | undefined
  /** Path of the player's script. */
  readonly playerScript: string
}

/** All routes of the player. */
export function addPlayback(
  app: FastifyInstance,
  parts: Parts,
  media: MediaParts,
  { playerUrl, playerScript, storeUrl }: PlaybackAddresses,
): void {
  const requests = openRequestCounts(parts.database.db, (error) =>
    app.log.error({ err: error }, 'Requests are counted later.'),
  )
  app.addHook('onClose', () => requests.close())
  const mediaUrls = [playerUrl, parts.mediaUrl, ...(storeUrl ? [storeUrl] : [])]
  const playback = { requests, parts, media, playerUrl, mediaUrls, storeUrl }
  addMedia(app, playback)
  addLive(app, playback)
  addSubtitles(app, playback)
  addFiles(app, playback)
  addFilms(app, playback)
  addStatus(app, playback)
  addPlays(app, playback)
  addPictures(app, playback)
  addMoments(app, playback)
  addImages(app, playback)
  addDownloads(app, playback)
  addEvents(app, playback)
  addActivity(app, playback)
  addEmbed(app, playback)
  addShare(app, playback)
  addCarousel(app, playback)
  addOembed(app, playback)
  addPlayerSnippets(app, playback)
  addFeeds(app, playback)
  addPlayerScript(app, playerScript)
}
