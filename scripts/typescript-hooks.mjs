/**
 * What `typescript.mjs` tells Node about our sources: an import of `x.js` beside an `x.ts` means that one, and its types are
 * taken away. What esbuild made of a file is kept in the temporary folder under the hash of its text, so that the
 * hundreds of processes of a test run make each file ready once.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync, version } from 'esbuild'

const options = { loader: 'ts', format: 'esm', target: 'es2023', sourcemap: 'inline', sourcesContent: false }
const kept = join(tmpdir(), `zoetrope-typescript-${process.getuid?.() ?? 0}`)
mkdirSync(kept, { recursive: true, mode: 0o700 })

const isOurs = (url) => url?.startsWith('file:') && !url.includes('/node_modules/')

export function resolve(specifier, context, next) {
  if (/^\.{1,2}\//.test(specifier) && specifier.endsWith('.js') && isOurs(context.parentURL)) {
    const source = new URL(`${specifier.slice(0, -3)}.ts`, context.parentURL)
    if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true }
  }
  return next(specifier, context)
}

export function load(url, context, next) {
  // Behind a question mark stands what makes a file that is loaded again another module.
  const [path] = url.split('?')
  if (!isOurs(path) || !path.endsWith('.ts')) return next(url, context)
  return { format: 'module', source: compiled(path), shortCircuit: true }
}

function compiled(url) {
  const text = readFileSync(new URL(url), 'utf8')
  const name = createHash('sha256')
    .update(`${version}\n${url}\n${JSON.stringify(options)}\n${text}`)
    .digest('hex')
  const path = join(kept, `${name}.js`)
  if (existsSync(path)) return readFileSync(path, 'utf8')
  const { code } = transformSync(text, { ...options, sourcefile: fileURLToPath(url) })
  // Whole or not at all: another process may be reading.
  writeFileSync(`${path}.${process.pid}`, code)
  renameSync(`${path}.${process.pid}`, path)
  return code
}
