import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Loader, Plugin } from 'esbuild'

/** Packages whose index names hundreds of files. */
const packages = ['@mantine/core', '@mantine/hooks']

/** Where each name that a package gives out is defined. */
async function filesByName(name: string, from: string): Promise<ReadonlyMap<string, string>> {
  const whole = createRequire(from).resolve(name)
  const index = join(dirname(whole), '../esm/index.mjs')
  const text = await readFile(index, 'utf8')
  const imports = [...text.matchAll(/import \{ ([^}]+) \} from "([^"]+)"/g)]
  return new Map(
    imports.flatMap(([, names = '', path = '']) =>
      names
        .split(', ')
        .map((each) => [each, path.startsWith('.') ? join(dirname(index), path) : path] as const),
    ),
  )
}

const statement = /import\s*\{([^}]*)\}\s*from\s*['"](@mantine\/(?:core|hooks))['"];?/g

/**
 * Imports from Mantine's index become imports of the files themselves. Through the index, esbuild counts every file that
 * any page uses as used by all, and the first load would have them all.
 */
export function directImports(from: string): Plugin {
  return {
    name: 'direct-imports',
    async setup(build) {
      const known = new Map(
        await Promise.all(packages.map(async (name) => [name, await filesByName(name, from)] as const)),
      )
      const rewritten = (whole: string, names: string, name: string) =>
        names
          .split(',')
          .map((each) => each.trim())
          .filter((each) => each !== '' && !each.startsWith('type '))
          .map((each) => {
            const file = known.get(name)?.get(each.split(' as ')[0] ?? '')
            return file
              ? `import { ${each} } from ${JSON.stringify(file)};`
              : whole.replace(names, ` ${each} `)
          })
          .join(' ')
      build.onLoad(
        { filter: /(packages\/dashboard\/src\/.*\.tsx?|@mantine\/\w+\/esm\/.*\.mjs)$/ },
        async ({ path }) => {
          const text = await readFile(path, 'utf8')
          const loader: Loader = path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js'
          return { contents: text.replace(statement, rewritten), loader }
        },
      )
    },
  }
}
