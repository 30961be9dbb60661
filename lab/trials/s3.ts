/**
 * Runs the tests of films in S3 against Ceph's gateway from Debian, a server that others wrote and that many hosting
 * companies use. Writes bench/results/second-store.md.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { installFromDebian } from '../../scripts/test/programs.js'
import { missingForRadosgw, radosgwPrograms, startRadosgw } from '../../test/support/radosgw.js'
import { runSources } from '../../test/support/run-sources.js'
import { circumstances, publishResult } from '../long-run.js'

const files = [
  'packages/server/src/storage/s3/s3-storage.test.ts',
  'packages/server/src/storage/s3/s3-faults.test.ts',
  'packages/server/src/storage/s3/disk-and-s3.test.ts',
  'packages/server/src/storage/s3/s3-parts.test.ts',
  'test/robustness/film-through-s3.test.ts',
]

const result = new URL('../../bench/results/second-store.md', import.meta.url)
const tests = fileURLToPath(new URL('../../scripts/test.ts', import.meta.url))

/** Runs the files, and returns the lines with their results. */
async function runTests(env: NodeJS.ProcessEnv): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(
    process.execPath,
    [...runSources, '--conditions=zoetrope:source', tests, '--lanes', '2', ...files],
    { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line)
    lines.push(line)
  }
  return { code: await ended, lines }
}

const rowOf = (lines: readonly string[], file: string): string => {
  const found = lines
    .map((line) => /^ *([\d.]+ s) {2}(\S+) {2}(.*)$/.exec(line))
    .find((row) => row?.[2] === file)
  return `| \`${file}\` | ${found?.[3] ?? 'not run'} | ${found?.[1] ?? ''} |`
}

if (missingForRadosgw().length > 0) await installFromDebian(missingForRadosgw())
if (missingForRadosgw().length > 0)
  throw new Error(`This needs Debian's packages ${Object.keys(radosgwPrograms).join(', ')}.`)
console.log('Starting Ceph.')
const store = await startRadosgw()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void store.stop().finally(() => process.exit(1)))
try {
  const { code, lines } = await runTests({ TEST_S3: JSON.stringify(store.settings) })
  await publishResult(
    result,
    [
      '# Films in a second S3 store',
      '',
      `${circumstances('npm run lab -- try-s3')}.`,
      '',
      `The store is \`radosgw\` ${store.version}, Ceph's S3 gateway from Debian, with a monitor and one store in memory. Unlike`,
      'the S3 server of the other tests it was not written in JavaScript, checks every signature and every MD5 by itself, and',
      'has its own opinion about lists, copies and multipart uploads.',
      '',
      'What differs from s3rver, and is handled:',
      '',
      '- It completes a multipart upload only if all its parts are named, also those that a killed server left behind. The',
      '  upload is then completed with all of them, and the right ones are copied from there.',
      '- When many objects are deleted at once, it fails for one that somebody else deletes or replaces at the same moment.',
      '  That one is deleted again, by itself.',
      '',
      '| Tests | | |',
      '|---|---|---:|',
      ...files.map((file) => rowOf(lines, file)),
      '',
    ].join('\n'),
    code === 0 ? [] : ['Some tests failed.'],
  )
} finally {
  await store.stop()
}
