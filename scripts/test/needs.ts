/** Which programs a test file needs: those of the support files that it imports, directly or through others. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The support files that start a program. */
const starters = {
  'test/support/browser.ts': 'browser',
  'test/support/clip.ts': 'ffmpeg',
  'test/support/ffmpeg.ts': 'ffmpeg',
  'test/support/films.ts': 'ffmpeg',
  'packages/server/src/media/find-ffmpeg.ts': 'ffmpeg',
} as const

export type Program = (typeof starters)[keyof typeof starters]

/**
 * Our server imports the search for ffmpeg as well, but works without one. Therefore only test files and their support
 * are followed, up to the first source.
 */
export function programsOf(file: string, seen = new Set<string>()): ReadonlySet<Program> {
  seen.add(file)
  const programs = new Set<Program>(startsFfmpeg(file) ? ['ffmpeg'] : [])
  for (const imported of importsOf(file)) {
    const program = starters[imported as keyof typeof starters]
    if (program) programs.add(program)
    else if (isFollowed(imported) && !seen.has(imported))
      for (const each of programsOf(imported, seen)) programs.add(each)
  }
  return programs
}

/** Returns whether the file itself runs ffmpeg, for a clip that no other file needs. */
const startsFfmpeg = (file: string) => /\('ffmpeg', \[/.test(readFileSync(file, 'utf8'))

const isFollowed = (file: string) => file.startsWith('test/') && file !== 'test/support/api.ts'

/** Returns the files that a file imports by a relative path. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:from|import) '(\.{1,2}\/[^']+)\.js'/g)]
    .map(([, path = '']) => join(dirname(file), `${path}.ts`))
    .filter((path) => existsSync(path))
}
