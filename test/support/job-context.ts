import type { JobContext } from '../../packages/server/src/jobs/define-job.js'
import type { TestApi } from './api.js'

/** The context of jobs on a test server, for tests that run a job directly. It sends no mail. */
export const jobContext = ({ database, parts, media, url }: TestApi): JobContext => ({
  database,
  sealer: parts.sealer,
  mailer: { send: async () => '' },
  media,
  loginUrl: url,
  apiUrl: url,
  playerUrl: parts.playerUrl,
  mediaUrl: parts.mediaUrl,
  eventDays: 30,
  log: { info: () => {}, warn: () => {} },
})
