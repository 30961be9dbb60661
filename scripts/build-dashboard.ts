/**
 * Builds the dashboard: `npm run build:dashboard`. Every page becomes a file of its own, named after its content, and
 * `index.html` names those that each visit begins with. DASHBOARD_DIST says where to, if not to its own `dist`.
 */
import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile, transform } from 'esbuild'
import { pages } from '../packages/dashboard/src/app/pages.js'
import { directImports } from './dashboard/direct-imports.js'
import { type Added, addedImports } from './dashboard/joined-files.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = fileURLToPath(new URL('../packages/dashboard/src', import.meta.url))
const dist =
  process.env.DASHBOARD_DIST ?? fileURLToPath(new URL('../packages/dashboard/dist', import.meta.url))

/** Where the server writes the nonce of its answer, and what the page at its address needs besides. */
const nonce = '{nonce}'
const preload = '{preload}'

const page = (styles: string, first: string, main: string, early: readonly string[]) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta property="csp-nonce" nonce="${nonce}">
<title>Zoetrope</title>
<link rel="icon" href="/dashboard/assets/icon.svg">
<script src="/dashboard/assets/${first}"></script>
<link rel="stylesheet" href="/dashboard/assets/${styles}">
${early.map((name) => `<link rel="modulepreload" href="/dashboard/assets/${name}">`).join('\n')}
<script type="module" src="/dashboard/assets/${main}"></script>
${preload}
</head>
<body>
<div id="root"><main id="opening" class="opening">
<span class="opening-ring" role="status" aria-label="Opening the dashboard"></span>
<p class="opening-late">This takes longer than usual. <a href="">Load the page again</a></p>
<p class="opening-failed" role="alert">The dashboard could not be loaded. <a href="">Load the page again</a></p>
<noscript><p>The dashboard needs JavaScript. Please allow it for this page.</p></noscript>
</main></div>
</body>
</html>
`

type Output = Metafile['outputs'][string]

/** The file made from an entry, with its metadata. */
function madeFrom(metafile: Metafile, entry: string): { name: string; output: Output } {
  const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(entry))
  if (!found) throw new Error(`Nothing was built from ${entry}.`)
  return { name: basename(found[0]), output: found[1] }
}

/** What a file imports at once, and what those import: fetched together instead of one after the other. */
function importedBy(metafile: Metafile, output: Output, seen = new Set<string>()): Set<string> {
  for (const { path, kind } of output.imports) {
    const next = metafile.outputs[path]
    if (kind !== 'import-statement' || seen.has(path) || !next) continue
    seen.add(path)
    importedBy(metafile, next, seen)
  }
  return seen
}

/** What each page needs beyond what every visit begins with, by its path. */
function filesOfPages(metafile: Metafile, begun: ReadonlySet<string>): Record<string, string[]> {
  return Object.fromEntries(
    pages.map(({ path, load }) => {
      const [, source = ''] = /import\(['"]\.\.\/(.+?)\.js['"]\)/.exec(String(load)) ?? []
      const { name, output } = madeFrom(metafile, `src/${source}.tsx`)
      const shared = [...importedBy(metafile, output)].filter((file) => !begun.has(file))
      return [path, [name, ...shared.map((file) => basename(file))]]
    }),
  )
}

/**
 * Mantine's styles of the components in use, in Mantine's order: one file of all of them would be a sixth of what a first
 * visit may weigh.
 */
async function mantineStyles(metafile: Metafile): Promise<string> {
  const whole = createRequire(join(source, 'main.tsx')).resolve('@mantine/core/styles.css')
  const folder = join(dirname(whole), 'styles')
  const all = await readFile(whole, 'utf8')
  const used = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path)
  const names = (await readdir(folder)).filter((name) => /^\w[\w-]*\.css$/.test(name))
  const texts = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      const isUsed = !/^[A-Z]/.test(name) || used.some((path) => path.includes(`/${basename(name, '.css')}/`))
      return { text, isUsed, place: all.indexOf(text.trim().slice(0, 200)) }
    }),
  )
  return texts
    .filter(({ isUsed }) => isUsed)
    .sort((a, b) => a.place - b.place)
    .map(({ text }) => text)
    .join('\n')
}

/** The styles of Mantine and of all pages, as one file: esbuild makes one for each page, which nobody would ask for. */
async function joinStyles(metafile: Metafile, assets: string): Promise<string> {
  const made = Object.keys(metafile.outputs).filter((path) => path.endsWith('.css'))
  const ours = await Promise.all(made.map((path) => readFile(path, 'utf8')))
  const { code } = await transform([await mantineStyles(metafile), ...ours].join('\n'), {
    loader: 'css',
    minify: true,
  })
  await Promise.all(made.map((path) => rm(path)))
  const name = `styles-${createHash('sha256').update(code).digest('hex').slice(0, 10)}.css`
  await writeFile(join(assets, name), code)
  return name
}

const main = join(source, 'main.tsx')

/** Bundles the sources; with imports added to some of them, and only as a plan without a folder to write to. */
const bundle = (outdir: string, added?: readonly Added[]) =>
  build({
    absWorkingDir: root,
    write: added !== undefined,
    entryPoints: [main, join(source, 'first-paint.ts')],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    minify: true,
    metafile: true,
    conditions: ['zoetrope:source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    legalComments: 'none',
    logLevel: 'warning',
    logOverride: { 'ignored-bare-import': 'silent' },
    plugins: [directImports(main, added)],
  })

/** Made aside and put in place at the end, so that a server that runs meanwhile finds the old or the new files. */
async function buildAside(aside: string): Promise<void> {
  const assets = join(aside, 'assets')
  const { metafile: plan } = await bundle(assets)
  const { metafile } = await bundle(assets, addedImports(plan, root))
  const entry = madeFrom(metafile, 'src/main.tsx')
  const styles = await joinStyles(metafile, assets)
  const begun = importedBy(metafile, entry.output)
  await cp(join(source, 'icon.svg'), join(assets, 'icon.svg'))
  await writeFile(
    join(aside, 'index.html'),
    page(
      styles,
      madeFrom(metafile, 'src/first-paint.ts').name,
      entry.name,
      [...begun].map((path) => basename(path)),
    ),
  )
  await writeFile(join(aside, 'pages.json'), JSON.stringify(filesOfPages(metafile, begun)))
}

/** Old files stay until a newer build has been there for as long: a page that is open may still ask for them. */
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
  await buildAside(aside)
  await putInPlace(aside)
} finally {
  await rm(aside, { recursive: true, force: true })
}
