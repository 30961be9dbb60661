import type { Job } from '../queue/job.js'
import { applyFormats } from './apply-formats.job.js'
import type { JobContext } from './define-job.js'
import { endEntitlements } from './end-entitlements.job.js'
import { endExpired } from './end-expired.job.js'
import { expireUploads } from './expire-uploads.job.js'
import { files } from './files.job.js'
import { fill } from './fill.job.js'
import { foldLists } from './fold-lists.job.js'
import { followCategory } from './follow-category.job.js'
import { forgetAnswers } from './forget-answers.job.js'
import { forgetAttempts } from './forget-attempts.job.js'
import { forgetDeliveries } from './forget-deliveries.job.js'
import { forgetRequests } from './forget-requests.job.js'
import { importFilm } from './import.job.js'
import { keepEvents } from './keep-events.job.js'
import { learnWords } from './learn-words.job.js'
import { mailConsumer } from './mail-consumer.job.js'
import { mailInvitation } from './mail-invitation.job.js'
import { mailPublisher } from './mail-publisher.job.js'
import { mailWebhook } from './mail-webhook.job.js'
import { poster } from './poster.job.js'
import { prepare } from './prepare.job.js'
import { prepareAudio } from './prepare-audio.job.js'
import { preview } from './preview.job.js'
import { purgeRemoved } from './purge-removed.job.js'
import { readdressPictures } from './readdress-pictures.job.js'
import { refreshDue } from './refresh-due.job.js'
import { refreshGuide } from './refresh-guide.job.js'
import { refreshSource } from './refresh-source.job.js'
import { relateVideos } from './relate-videos.job.js'
import { removeVideos } from './remove-videos.job.js'
import { rescueVideos } from './rescue-videos.job.js'
import { restoreVideos } from './restore-videos.job.js'
import { resumeImports } from './resume-imports.job.js'
import { storyboard } from './storyboard.job.js'
import { subtitles } from './subtitles.job.js'
import { sumPlays } from './sum-plays.job.js'
import { sumRequests } from './sum-requests.job.js'
import { sweepMedia } from './sweep-media.job.js'

/** Every job there is. */
export const jobs: readonly Job<unknown, JobContext>[] = [
  purgeRemoved,
  foldLists,
  learnWords,
  forgetAttempts,
  forgetAnswers,
  forgetRequests,
  keepEvents,
  forgetDeliveries,
  endExpired,
  mailConsumer,
  mailInvitation,
  mailPublisher,
  mailWebhook,
  prepare,
  prepareAudio,
  poster,
  storyboard,
  preview,
  subtitles,
  fill,
  files,
  applyFormats,
  followCategory,
  relateVideos,
  endEntitlements,
  removeVideos,
  restoreVideos,
  sumRequests,
  sumPlays,
  sweepMedia,
  expireUploads,
  rescueVideos,
  importFilm,
  resumeImports,
  refreshGuide,
  refreshSource,
  refreshDue,
  readdressPictures,
]
