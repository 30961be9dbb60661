const elsewhere = 'or set DATA_DIR to another folder'

const sentences: readonly (readonly [RegExp, (folder: string) => string])[] = [
  [
    /^spawn |loading shared libraries|GLIBC/,
    () =>
      'The PostgreSQL that comes with Zoetrope does not run on this system: set DATABASE_URL to a PostgreSQL of your own.',
  ],
  [
    /ENOSPC|EDQUOT|no space left|quota exceeded/i,
    (folder) => `The disk of the folder ${folder} is full: free at least 200 MB, ${elsewhere}.`,
  ],
  [
    /EROFS|read-only file system/i,
    (folder) => `The folder ${folder} is on a read-only file system: make it writable, ${elsewhere}.`,
  ],
  [
    /EACCES|EPERM|permission denied|not permitted/i,
    (folder) =>
      `Zoetrope may not write to the folder ${folder}: give it to the user that runs Zoetrope, ${elsewhere}.`,
  ],
]

const otherwise = (folder: string) =>
  `Zoetrope cannot keep its database in the folder ${folder}: check that this is a folder on a local disk, ${elsewhere}, or set DATABASE_URL to a PostgreSQL of your own.`

/** Of all that a failing program said, the line that tells why: the last one is often about cleaning up. */
export function reasonAmong(lines: readonly string[]): string | undefined {
  return (
    lines.findLast((line) => sentences.some(([sign]) => sign.test(line))) ??
    lines.findLast((line) => /error|fatal|panic/i.test(line)) ??
    lines.at(-1)
  )
}

/** Says what is wrong with a folder and what to do; the detail is what the failing part itself said. */
export function folderProblem(folder: string, detail: string, options?: ErrorOptions): Error {
  const sentence = sentences.find(([sign]) => sign.test(detail))?.[1] ?? otherwise
  return new Error(`${sentence(folder)} (${detail})`, options)
}
