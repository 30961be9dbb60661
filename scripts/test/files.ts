/** Which test files `npm test` and `npm run test:all` run, and which of them need a process of their own. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The files that `npm test` runs of the folders that it otherwise leaves to `npm run test:all`. */
export const journeys: Readonly<Record<string, string>> = {
  'a film': 'test/pipeline/prepare.test.ts',
  'a browser': 'test/browser/watch.test.ts',
  'a kill': 'test/robustness/kill.test.ts',
  'a restart': 'test/robustness/start.test.ts',
}

/** What `npm run test:all` adds, by folder. */
export const addedByAll: Readonly<Record<string, RegExp>> = {
  'every page in a browser': /^test\/browser\//,
  'films of all kinds': /^test\/pipeline\/|\/(media|media-segments)\//,
  'films in S3 and on their way there': /\/storage\/s3\/|\/(two-places|move-library)\.test\.ts$/,
  'kills, outages, hostile clients, nginx, PgBouncer and replicas': /^test\/robustness\//,
  'whole sessions of existing programs': /^test\/sessions\//,
  'the PostgreSQL that comes with it': /\/embedded\//,
}

const isLeftToAll = (file: string) =>
  Object.values(addedByAll).some((folder) => folder.test(file)) && !Object.values(journeys).includes(file)

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
