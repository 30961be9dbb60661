import { defineJob } from './define-job.js'

const batch = 1000

/** Adds the words of new and changed videos to those that misspelt searches are corrected with. */
export const learnWords = defineJob<unknown>({
  name: 'learn-words',
  attempts: 1,
  every: '* * * * *',
  async run(_payload, { database: { db } }) {
    let learned = batch
    while (learned === batch) {
      const [row] = await db<{ learned: number }[]>`select learn_words(${batch}) as learned`
      learned = row?.learned ?? 0
    }
  },
})
