import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Loader, Plugin } from 'esbuild'
import type { Added } from './joined-files.js'
import { outlineOfCatalog } from './outline.js'

const contract = fileURLToPath(new URL('../../packages/contract/src/index.ts', import.meta.url))

/** The index of each package whose index names hundreds of files, or large ones. */
const indexes: Readonly<Record<string, (from: string) => string>> = {
  '@mantine/core': (from) => join(dirname(createRequire(from).resolve('@mantine/core')), '../esm/index.mjs'),
  '@mantine/hooks': (from) =>
    join(dirname(createRequire(from).resolve('@mantine/hooks')), '../esm/index.mjs'),
  '@zoetrope/contract': () => contract,
}

/** Where each name that an index gives out is defined. */
async function filesByName(index: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(index, 'utf8')
  const named = [...text.matchAll(/(?:import|export) \{([^}]+)\} from ["']([^"']+)["']/g)]
  const fileAt = (path: string) =>
    path.startsWith('.')
      ? join(dirname(index), index.endsWith('.ts') ? path.replace(/\.js$/, '.ts') : path)
      : path
  return new Map(
    named.flatMap(([, names = '', path = '']) =>
      names.split(',').map((each) => [each.trim(), fileAt(path)] as const),
    ),
  )
}

const statement = /import\s*\{([^}]*)\}\s*from\s*['"](@mantine\/(?:core|hooks)|@zoetrope\/contract)['"];?/g

/** To call operations, and to know who may, nothing else of the definitions is needed. */
const prefix = 'zoetrope:'
const outline = `${prefix}outline`
const callsByOutline = /packages\/(sdk\/src\/create-client|dashboard\/src\/data\/resources)\.ts$/

/**
 * Imports from an index become imports of the files themselves. Through the index, esbuild counts every file that
 * any page uses as used by all, and the first load would have them all. `added` is imported in addition.
 */
export function directImports(from: string, added: readonly Added[] = []): Plugin {
  return {
    name: 'direct-imports',
    async setup(build) {
      const known = new Map(
        await Promise.all(
          Object.entries(indexes).map(
            async ([name, index]) => [name, await filesByName(index(from))] as const,
          ),
        ),
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
      const behind = (path: string) =>
        added.map(({ to }, index) => (to.has(path) ? `\nimport "${prefix}${index}";` : '')).join('')
      build.onResolve({ filter: /^zoetrope:/ }, ({ path }) => ({ path, namespace: prefix }))
      build.onLoad({ filter: /./, namespace: prefix }, ({ path }) => ({
        contents: path === outline ? outlineOfCatalog() : added[Number(path.slice(prefix.length))]?.imports,
        resolveDir: dirname(from),
      }))
      build.onLoad(
        { filter: /(packages\/(dashboard|sdk)\/src\/.*\.tsx?|@mantine\/\w+\/esm\/.*\.mjs)$/ },
        async ({ path }) => {
          const text = await readFile(path, 'utf8')
          const loader: Loader = path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js'
          const contents = callsByOutline.test(path)
            ? text.replace('@zoetrope/contract', outline)
            : text.replace(statement, rewritten)
          return { contents: contents + behind(path), loader }
        },
      )
    },
  }
}
