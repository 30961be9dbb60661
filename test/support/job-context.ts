import type { JobContext } from '../../packages/server/src/jobs/define-job.js'
import type { TestApi } from './api.js'

/** What a job of a test's server may use, for tests that run one by hand. Nobody is written to. */
export const jobContext = ({ database, parts, media, url }: TestApi): JobContext => ({
  database,
  sealer: parts.sealer,
  mailer: { send: async () => '' },
  media,
  loginUrl: url,
  playerUrl: url,
  log: { info: () => {}, warn: () => {} },
})
