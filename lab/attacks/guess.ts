/**
 * Guesses passwords and PINs against a separate server, from one address and from a thousand. Compares the response
 * times for a wrong password and for an unknown viewer. Writes bench/results/guessing.md. Ctrl-C stops after the
 * current way of guessing; the same command continues with the next.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@zoetrope/sdk'
import {
  attack,
  type Campaign,
  compare,
  home,
  overlap,
  quantile,
  signInFrom,
  type Target,
  ways,
} from '../../test/support/guessing.js'
import { circumstances, openLongRun } from '../long-run.js'
import { startZoetrope } from '../processes.js'

const { values } = parseArgs({
  options: { times: { type: 'string', default: '10000' }, fresh: { type: 'boolean', default: false } },
})
const times = Number(values.times)
const compared = 400
const password = 'the password of a viewer'

interface Credentials {
  readonly keys: { readonly admin: string }
  readonly app: { readonly app_key: string; readonly client_id: string; readonly client_secret: string }
}

const campaignRow = ({ what, from, sent, succeeded, byStatus, seconds, viewerStillIn }: Campaign) =>
  `| ${what} | ${from} | ${sent.toLocaleString('en')} | ${succeeded} | ${Object.entries(byStatus)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ')} | ${seconds.toFixed(1)} s | ${viewerStillIn ? 'yes' : '**no**'} |`

const shares = [0.05, 0.25, 0.5, 0.75, 0.95]
const timesRow = (name: string, taken: readonly number[]) =>
  `| ${name} | ${shares.map((share) => `${quantile(taken, share).toFixed(1)} ms`).join(' | ')} |`

/** Draws bars side by side: the number of responses in each time span. */
function histogram(wrong: readonly number[], unknown: readonly number[]): string {
  const low = Math.min(quantile(wrong, 0.01), quantile(unknown, 0.01))
  const high = Math.max(quantile(wrong, 0.98), quantile(unknown, 0.98))
  const spans = 14
  const width = (high - low) / spans || 1
  const bar = (values: readonly number[], span: number) => {
    const count = values.filter((value) => Math.floor((value - low) / width) === span).length
    return '█'.repeat(Math.round((count / values.length) * 60)).padEnd(24)
  }
  const rows = Array.from({ length: spans }, (_, span) => {
    const label = `${(low + span * width).toFixed(1)} ms`.padStart(9)
    return `${label}  ${bar(wrong, span)}  ${bar(unknown, span)}`.trimEnd()
  })
  return ['```', `${' '.repeat(11)}${'wrong password'.padEnd(26)}unknown viewer`, ...rows, '```'].join('\n')
}

interface State {
  campaigns: Campaign[]
  compared?: {
    readonly wrong: readonly number[]
    readonly unknown: readonly number[]
    readonly bodies: number
  }
}

const run = await openLongRun('guess', String(times), values.fresh, (): State => ({ campaigns: [] }))
const { state } = run
if (run.isContinued)
  console.log(`Continues after ${state.campaigns.length} of ${ways.length} ways of guessing.`)
const folder = await mkdtemp(join(tmpdir(), 'zoetrope-guess-'))
const server = await startZoetrope(folder)
try {
  const { keys, app } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as Credentials
  const client = createClient({ url: server.url, apiKey: keys.admin })
  const emails = Array.from({ length: 40 }, (_, index) => `viewer-${index}@example.com`)
  for (const email of emails) await client.consumers.create({ email, password })
  const attacker = await client.consumers.create({ email: 'attacker@example.com', password })
  const target: Target = {
    url: server.url,
    ...app,
    email: 'victim@example.com',
    password,
    attacker_id: attacker._id,
  }
  await client.consumers.create({ email: target.email, password })
  await signInFrom(home, target, target.email, password)

  if (!state.compared) {
    const { wrong, unknown, bodies } = await compare(target, emails, compared)
    state.compared = { wrong, unknown, bodies: bodies.size }
    await run.save()
  }
  while (state.campaigns.length < ways.length && !run.isStopped()) {
    const way = ways[state.campaigns.length] as (typeof ways)[number]
    const campaign = await attack(target, times, way)
    state.campaigns.push(campaign)
    await run.save()
    console.log(
      `${way.what}, from ${way.from}: ${JSON.stringify(campaign.byStatus)} in ${campaign.seconds.toFixed(1)} s`,
    )
  }
  const { wrong, unknown, bodies } = state.compared
  const elsewhere = await signInFrom('127.98.0.1', target, target.email, password)
  const report = [
    `- ${circumstances(`npm run lab -- guess --times ${times}`)}`,
    '- A device waits with a living PIN all the while. The viewer signs in from home in the middle and at the end of each.',
    `- From an address never used before, right after all of this, the viewer gets ${elsewhere.status}.`,
    '',
    '| Guessed | From | Guesses | Successes | Answers | Took | The viewer still gets in from home |',
    '|---|---|--:|--:|---|--:|---|',
    ...state.campaigns.map(campaignRow),
    '',
    `Wrong passwords of viewers who exist, and passwords of viewers who do not, ${compared} each: ${bodies} different answer${bodies === 1 ? '' : 's'}; ${(overlap(wrong, unknown) * 100).toFixed(0)} % of each distribution lies within the middle 90 % of the other.`,
    '',
    '| | 5 % | 25 % | median | 75 % | 95 % |',
    '|---|--:|--:|--:|--:|--:|',
    timesRow('wrong password', wrong),
    timesRow('unknown viewer', unknown),
    '',
    histogram(wrong, unknown),
    '',
  ].join('\n')
  await writeFile('bench/results/guessing.md', report)
  console.log(report)
  if (state.campaigns.length === ways.length) await run.finish()
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
