/**
 * The long form of test/robustness/kill-media.test.ts: `npm run chaos:media -- --kills 200 --minutes 15` kills the server, its worker,
 * ffmpeg and PostgreSQL at random while films are uploaded, prepared and watched, and writes what became of them into
 * bench/results/chaos-media.md.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { type MediaChaosResult, runMediaChaos } from '../test/support/chaos-media.js'
import { putFfmpegOnPath } from './ffmpeg-on-path.js'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, minutes: { type: 'string', default: '15' } },
})
const file = new URL('../bench/results/chaos-media.md', import.meta.url)
const kills = Number(values.kills)
await putFfmpegOnPath()
const result = await runMediaChaos({
  kills,
  uploads: Math.ceil(kills / 5),
  seconds: 10,
  longestMs: Number(values.minutes) * 60_000,
  random: Math.random,
  report: console.log,
})
await mkdir(new URL('.', file), { recursive: true })
await writeFile(file, page(result))
console.log(`Wrote ${file.pathname}.`)
const wrong = [
  result.lost,
  result.incomplete,
  result.broken,
  result.partial,
  result.orphans,
  result.stuckJobs,
].flat()
for (const line of wrong) console.error(line)
if (wrong.length > 0) process.exitCode = 1

function page(result: MediaChaosResult): string {
  const { kills } = result
  return [
    '# kill -9 while films come in',
    '',
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}. Films are uploaded in one`,
    'request, in pieces (tus) and from an address, prepared, encoded and watched, while processes are killed with SIGKILL at random.',
    '`npm run chaos:media` does it again.',
    '',
    '| | |',
    '|---|---:|',
    ...Object.entries(kills).map(([victim, count]) => `| kills of ${victim} | ${count} |`),
    `| uploads begun | ${result.attempted} |`,
    `| acknowledged | ${result.acknowledged} |`,
    `| acknowledged and lost | ${result.lost.length} |`,
    `| not complete at the end | ${result.incomplete.length} |`,
    `| tracks decoded whole, with every frame | ${result.tracks - result.broken.length} |`,
    `| tracks that are not | ${result.broken.length} |`,
    `| segments watched meanwhile | ${result.served} |`,
    `| of these, not whole | ${result.partial.length} |`,
    `| files left over after the sweep | ${result.orphans.length} |`,
    `| jobs stuck | ${result.stuckJobs.length} |`,
    '',
  ].join('\n')
}
