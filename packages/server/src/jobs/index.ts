import type { Job } from '../queue/define-job.js'
import { endExpired } from './end-expired.job.js'
import { foldLists } from './fold-lists.job.js'
import { forgetAttempts } from './forget-attempts.job.js'
import { mailConsumer } from './mail-consumer.job.js'
import { purgeRemoved } from './purge-removed.job.js'

/** Every job there is. */
export const jobs: readonly Job[] = [purgeRemoved, foldLists, forgetAttempts, endExpired, mailConsumer]
