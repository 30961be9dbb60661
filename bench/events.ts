/**
 * npm run bench:events
 * What events cost, and how long webhooks take to send them. `ROUNDS` and `WRITES` set the length of the first part,
 * `SECONDS`, `RATE` and `DEAD_RATE` that of the second.
 */
import { writeFile } from 'node:fs/promises'
import { circumstances } from '../scripts/long-run.js'
import { measureCost } from './events-cost.js'
import { measureLatency } from './events-latency.js'

const parts = [await measureLatency(), await measureCost()]
const text = ['# Events', '', `${circumstances('npm run bench:events')}.`, '', ...parts].join('\n')
console.log(text)
await writeFile(new URL('results/events.md', import.meta.url), text)
process.exit(0)
