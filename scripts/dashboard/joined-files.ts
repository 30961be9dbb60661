import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/** What so many parts use is in a file that all parts of their kind share. */
const many = 3

/** What of these other parts use too comes with the first load. */
const comesFirst = /pages\/(home|sign-in|invitation)\/page\.tsx$/

/** What comes after the first page by itself, and before others. */
const comesBehind = /app\/menus\.tsx$|@mantine\/notifications\/esm\/index\.mjs$/

/** What shows records by their definition; the definitions are large. */
const definitions = /packages\/contract\/src\/catalog\.ts$/

type Inputs = Metafile['inputs']

/** What a source imports at once, and what those import. */
function importedBy(inputs: Inputs, path: string, seen = new Set<string>()): Set<string> {
  seen.add(path)
  for (const { path: next, kind } of inputs[path]?.imports ?? [])
    if (kind === 'import-statement' && inputs[next] && !seen.has(next)) importedBy(inputs, next, seen)
  return seen
}

const main = 'packages/dashboard/src/main.tsx'
const app = 'packages/dashboard/src/app/app.tsx'

/** What some parts are to import in addition: which imports, and behind which files. */
export interface Added {
  readonly imports: string
  readonly to: ReadonlySet<string>
}

/**
 * Sources are put into one file where the same parts of the dashboard use them, and without help into some hundred and
 * fifty files. Here is what parts are to import in addition, so that few files are left: all of what every visit begins
 * with, all of what many parts use, and all of what those use that show records by their definition.
 */
export function addedImports({ inputs }: Metafile, root: string): readonly Added[] {
  const parts = Object.values(inputs).flatMap(({ imports }) =>
    imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path),
  )
  const uses = new Map(parts.map((part) => [part, importedBy(inputs, part)]))
  const users = new Map<string, string[]>()
  for (const [part, paths] of uses)
    for (const path of paths) users.set(path, [...(users.get(path) ?? []), part])
  const showsRecords = (part: string) => [...(uses.get(part) ?? [])].some((path) => definitions.test(path))
  const begun = importedBy(inputs, app)
  const later = [...uses.keys()].filter((part) => !comesFirst.test(part) && !comesBehind.test(part))
  const isFirst = (path: string) => {
    const by = users.get(path) ?? []
    return begun.has(path) || (by.length > 1 && by.some((part) => comesFirst.test(part)))
  }
  const shared = [...users.keys()].filter((path) => {
    const by = users.get(path)?.filter((part) => later.includes(part)) ?? []
    return by.length >= many && !isFirst(path)
  })
  const isForRecords = (path: string) =>
    users.get(path)?.every((part) => showsRecords(part) || !later.includes(part)) === true
  const added = (paths: readonly string[], to: readonly string[]): Added => ({
    imports: paths.map((path) => `import ${JSON.stringify(join(root, path))};`).join(''),
    to: new Set(to.map((path) => join(root, path))),
  })
  return [
    added([app, ...[...users.keys()].filter((path) => isFirst(path) && !begun.has(path))], [main, ...parts]),
    added(
      shared.filter((path) => !isForRecords(path)),
      later,
    ),
    added(shared.filter(isForRecords), later.filter(showsRecords)),
  ]
}
