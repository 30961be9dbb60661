import { defineJob } from './define-job.js'

const batch = 10_000

/** Sums up the changes that writers appended. Servers do this as they write; this job finishes what a crashed server left. */
export const foldLists = defineJob<unknown>({
  name: 'fold-lists',
  attempts: 1,
  every: '* * * * *',
  async run(_payload, { database: { db } }) {
    let folded = batch
    while (folded === batch) {
      const [row] = await db<{ folded: number }[]>`select fold_list_changes(${batch}) as folded`
      folded = row?.folded ?? 0
    }
  },
})
