/**
 * Builds the dashboard with Vite: `npm run build -- dashboard`. Each page becomes a separate file, named by its content.
 * DASHBOARD_DIST overrides the output folder, by default the package's `dist`.
 */
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { outline } from '../packages/contract/src/outline.js'
import { pages } from '../packages/dashboard/src/app/pages.js'

const root = fileURLToPath(new URL('../packages/dashboard', import.meta.url))
const outlineModule = fileURLToPath(new URL('../packages/contract/src/outline.ts', import.meta.url))
const firstPaint = join(root, 'src/first-paint.ts')
const dist = process.env.DASHBOARD_DIST ?? join(root, 'dist')

/** Computes the outline of the catalog at build time, so that the first load does not need the definitions. */
const precomputedOutline: Plugin = {
  name: 'precomputed-outline',
  load(id) {
    if (id !== outlineModule) return null
    return { code: `export const outline = ${JSON.stringify(outline)}`, moduleType: 'js' }
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
    plugins: [precomputedOutline, fileLists, firstPaintScript],
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
