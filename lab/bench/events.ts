/**
 * What events cost, and how long webhooks take to send them. `ROUNDS` and `WRITES` set the length of the first part,
 * `SECONDS`, `RATE` and `DEAD_RATE` that of the second. With --dead it measures only what dead receivers cost, and
 * stores nothing.
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { circumstances } from '../long-run.js'
import { measureCost } from './events-cost.js'
import { measureLatency } from './events-latency.js'

const { values } = parseArgs({ options: { dead: { type: 'boolean', default: false } } })
const parts = values.dead ? [await measureLatency(true)] : [await measureLatency(), await measureCost()]
const text = ['# Events', '', `${circumstances('npm run lab -- bench-events')}.`, '', ...parts].join('\n')
console.log(text)
if (!values.dead) await writeFile(new URL('../../bench/results/events.md', import.meta.url), text)
process.exit(0)
