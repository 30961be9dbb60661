/**
 * The long form of test/robustness/kill.test.ts: `npm run chaos [kills]` kills the server, its PostgreSQL or both, 20 times unless
 * said otherwise, while videos are created, and writes what became of them into bench/results/chaos.md.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { type ChaosResult, runChaos } from '../test/support/chaos.js'

const file = new URL('../bench/results/chaos.md', import.meta.url)
const kills = Number(process.argv[2] ?? 20)
const result = await runChaos({ kills, writers: 4, random: Math.random, report: console.log })
await mkdir(new URL('.', file), { recursive: true })
await writeFile(file, page(result))
console.log(`Wrote ${file.pathname}.`)
if (!isSound(result)) {
  console.error('Something was lost, came twice or was miscounted.')
  process.exitCode = 1
}

function isSound({ lost, duplicated, counts }: ChaosResult): boolean {
  return lost.length === 0 && duplicated.length === 0 && new Set(Object.values(counts)).size === 1
}

function page({ kills, attempted, acknowledged, lost, duplicated, counts }: ChaosResult): string {
  const times = kills.map(({ ms }) => ms).sort((a, b) => a - b)
  return [
    '# kill -9',
    '',
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}. Four writers create videos without pause`,
    'while the server, its PostgreSQL or both are killed with SIGKILL at random. `npm run chaos` does it again.',
    '',
    '| | |',
    '|---|---:|',
    `| kills | ${kills.length} |`,
    `| creations tried | ${attempted} |`,
    `| acknowledged (201) | ${acknowledged} |`,
    `| acknowledged and lost | ${lost.length} |`,
    `| there twice | ${duplicated.length} |`,
    `| rows | ${counts.rows} |`,
    `| by \`pages\` | ${counts.byPages} |`,
    `| by the sums of days | ${counts.bySums} |`,
    `| by the sums of minutes | ${counts.byMinutes} |`,
    `| by walking with a cursor | ${counts.byWalking} |`,
    `| median recovery | ${times[Math.floor(times.length / 2)]} ms |`,
    `| longest recovery | ${times.at(-1)} ms |`,
    '',
    'Recovery is the time from the kill to the first video acknowledged after the last failed request; a killed server is',
    'started again at once from its sources, which takes longer to load than the built program. 0 ms: no request failed.',
    '',
    '| kill | of | back after |',
    '|---:|---|---:|',
    ...kills.map(({ victim, ms }, index) => `| ${index + 1} | ${victim} | ${ms} ms |`),
    '',
  ].join('\n')
}
