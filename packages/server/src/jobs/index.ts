import type { Job } from '../queue/define-job.js'
import { foldLists } from './fold-lists.job.js'
import { purgeRemoved } from './purge-removed.job.js'

/** Every job there is. */
export const jobs: readonly Job[] = [purgeRemoved, foldLists]
