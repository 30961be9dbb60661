/** Which test files `npm test` and `npm run test:all` run, and which of them need a process of their own. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { programsOf } from './needs.js'

/** The files that `npm test` runs of the folders that it otherwise leaves to `npm run test:all`. */
export const journeys: Readonly<Record<string, string>> = {
  'a film': 'test/pipeline/replace-source.test.ts',
  'a browser': 'test/browser/watch.test.ts',
  'a kill': 'test/robustness/kill.test.ts',
  'a restart': 'test/robustness/start.test.ts',
}

/** What `npm run test:all` adds. */
export const addedByAll: Readonly<Record<string, (file: string) => boolean>> = {
  'every page in a browser': (file) => file.startsWith('test/browser/'),
  'films of all kinds, made and played': (file) =>
    file.startsWith('test/pipeline/') || programsOf(file).has('ffmpeg'),
  'films in S3 and on their way there': (file) =>
    /\/storage\/s3\/|\/(two-places|move-library)\.test\.ts$/.test(file),
  'kills, outages, hostile clients, nginx, PgBouncer and replicas': (file) =>
    file.startsWith('test/robustness/'),
  'large amounts and races': (file) =>
    /\/(library-plans|pagination-deep|races-\w+|removed-playlists|videos-switches)\.test\.ts$/.test(file),
  'whole sessions of existing programs, and receivers of webhooks in other languages': (file) =>
    file.startsWith('test/sessions/') || file === 'test/webhook-receivers.test.ts',
  'the PostgreSQL and the packages that users install': (file) =>
    /\/embedded\/|\/(sdk-)?pack\.test\.ts$/.test(file),
}

const isLeftToAll = (file: string) =>
  !Object.values(journeys).includes(file) && Object.values(addedByAll).some((adds) => adds(file))

/** Returns whether the file changes process-wide state, or counts what other files would add to. */
export const isAlone = (file: string) =>
  /\/(access[\w-]*|passwords|races-processes|file-storage|fuzz|secrets)\.test\.ts$|\/embedded\//.test(file)

/** Returns whether the file tests what ffmpeg makes, or what happens to it. */
export const isAboutMedia = (file: string) =>
  /^test\/pipeline\/|\/(media|media-segments)\/|\/(store-away|film-through-s3|cold-segments)\./.test(file)

export async function allFiles(): Promise<string[]> {
  return [...(await testFiles('packages')), ...(await testFiles('test'))]
}

export const filesOfCheck = (all: readonly string[]) => all.filter((file) => !isLeftToAll(file))

async function testFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true })
  return entries
    .filter((name) => name.endsWith('.test.ts') && !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => join(folder, name))
    .sort()
}
