/**
 * Builds the dashboard with Vite: `npm run build -- dashboard`. Each page becomes a separate file, named by its content.
 * DASHBOARD_DIST overrides the output folder, by default the package's `dist`.
 */
import { readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { limits } from '../packages/contract/src/limits.js'
import { outline } from '../packages/contract/src/outline.js'
import { pages } from '../packages/dashboard/src/app/pages.js'

const root = fileURLToPath(new URL('../packages/dashboard', import.meta.url))
const contract = fileURLToPath(new URL('../packages/contract/src', import.meta.url))
const firstPaint = join(root, 'src/first-paint.ts')
const dist = process.env.DASHBOARD_DIST ?? join(root, 'dist')

const limitValues = Object.fromEntries(Object.entries(limits).map(([name, { value }]) => [name, { value }]))

/** Modules of the contract that are computed here, so that the first load has no definitions and descriptions. */
const precomputed: Readonly<Record<string, string>> = {
  'outline.ts': `export const outline = ${JSON.stringify(outline)}`,
  'limits.ts': `export const limits = ${JSON.stringify(limitValues)}`,
}
const precomputedModules: Plugin = {
  name: 'precomputed-modules',
  load(id) {
    const code = dirname(id) === contract ? precomputed[basename(id)] : undefined
    return code ? { code, moduleType: 'js' } : null
  },
}

/** The classes of Mantine's components that the dashboard does not use. Their styles are left out. */
const unusedClasses: string[] = []
const unusedStyles: Plugin = {
  name: 'unused-styles',
  generateBundle: {
    order: 'pre',
    handler(_options, bundle) {
      const styles = readFileSync(join(root, '../../node_modules/@mantine/core/styles.css'), 'utf8')
      const code = Object.values(bundle).map((file) => (file.type === 'chunk' ? file.code : ''))
      const names = new Set(styles.match(/\bm_[0-9a-f]+/g))
      unusedClasses.push(...[...names].filter((name) => !code.some((text) => text.includes(name))))
    },
  },
}

type Chunks = readonly Rolldown.OutputChunk[]

/** Returns the files of a module's chunk and of every chunk that must be loaded before it. */
function filesOf(chunks: Chunks, module: string): string[] {
  const holder = chunks.find(({ moduleIds }) => moduleIds.includes(module))
  if (!holder) throw new Error(`No file of the dashboard contains ${module}. Is it named in app/pages.ts?`)
  const found = new Set([holder])
  // The loop also visits the chunks it adds.
  for (const { imports } of found)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) found.add(chunk)
  return [...found].map(({ fileName }) => basename(fileName))
}

/** Writes `pages.json`: the files that each page needs beyond the first load. The server preloads them. */
const fileLists: Plugin = {
  name: 'file-lists',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const first = filesOf(chunks, join(root, 'src/main.tsx'))
    const lists = pages.map(({ path, file }) => {
      const files = filesOf(chunks, join(root, `src/pages/${file}.tsx`))
      return [path, files.filter((name) => !first.includes(name))]
    })
    this.emitFile({
      type: 'asset',
      fileName: 'pages.json',
      source: JSON.stringify(Object.fromEntries(lists)),
    })
  },
}

/** Inserts the script that runs before the first paint. It is not a module, because modules run after the paint. */
const firstPaintScript: Plugin = {
  name: 'first-paint-script',
  transformIndexHtml(_html, { bundle = {} }) {
    const script = Object.values(bundle).find(
      (file) => file.type === 'chunk' && file.facadeModuleId === firstPaint,
    )
    return [
      { tag: 'script', attrs: { src: `/dashboard/${script?.fileName}` }, injectTo: 'head-prepend' as const },
    ]
  },
}

/**
 * Bundles into few, large files: the libraries and our own code of the first load, code shared by three or more pages,
 * and code shared by pages that show records by their definition. By default the bundler makes a file for each set of
 * pages that share code: 170 files, of which one page needs 40.
 */
const groups = [
  { name: 'libraries', tags: ['$initial' as const], test: /node_modules\//, priority: 4 },
  { name: 'start', tags: ['$initial' as const], test: (id: string) => id !== firstPaint, priority: 3 },
  { name: 'shared', test: /node_modules\/|src\/(ui|data)\/[^/]+$/, minShareCount: 3, priority: 2 },
  { name: 'records', test: /packages\/contract\/|src\/ui\/[^/]+\//, minShareCount: 3, priority: 1 },
]

const buildInto = (outDir: string) =>
  build({
    configFile: false,
    root,
    base: '/dashboard/',
    logLevel: 'warn',
    publicDir: false,
    resolve: { conditions: ['zoetrope:source'] },
    plugins: [precomputedModules, unusedStyles, fileLists, firstPaintScript],
    css: { lightningcss: { unusedSymbols: unusedClasses } },
    build: {
      outDir,
      target: 'es2022',
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        input: { main: join(root, 'index.html'), 'first-paint': firstPaint },
        output: { codeSplitting: { groups } },
        checks: { moduleLevelDirective: false },
      },
    },
  })

/**
 * Renames the new files into place, the page last, then removes the old ones. A running server always has whole files.
 */
async function putInPlace(aside: string): Promise<void> {
  const assets = join(dist, 'assets')
  await mkdir(assets, { recursive: true })
  const before = await readdir(assets)
  const now = await readdir(join(aside, 'assets'))
  for (const name of now) await rename(join(aside, 'assets', name), join(assets, name))
  for (const name of ['pages.json', 'index.html']) await rename(join(aside, name), join(dist, name))
  await Promise.all(
    before.filter((name) => !now.includes(name)).map((name) => rm(join(assets, name), { force: true })),
  )
}

const aside = join(dist, `aside-${process.pid}`)
try {
  await buildInto(aside)
  await putInPlace(aside)
} finally {
  await rm(aside, { recursive: true, force: true })
}
