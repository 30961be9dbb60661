/**
 * Builds what the package of the SDK contains, so that it needs no other package: `npm run build -- sdk` makes its code, one
 * file with the outline of the contract computed now. `npm pack -w @zoetrope/sdk` also adds its types: those of the SDK and
 * of the contract, without the texts in them.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build, type Plugin } from 'esbuild'
import { outline } from '../packages/contract/src/outline.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    types: { type: 'boolean', default: false },
    /** Another copy of the package. */
    to: { type: 'string', default: join(root, 'packages/sdk') },
  },
})
const made = join(values.to, 'dist/package')
const compiled = { sdk: join(root, 'packages/sdk/dist'), contract: join(root, 'packages/contract/dist') }

const computedOutline: Plugin = {
  name: 'computed-outline',
  setup({ onLoad }) {
    onLoad({ filter: /contract\/src\/outline\.ts$/ }, () => ({
      contents: `export const outline = ${JSON.stringify(outline)}`,
    }))
  },
}

/** Copies a file of types and those that it imports. */
function copyTypes(file: string, copied = new Set<string>()): void {
  if (copied.has(file)) return
  copied.add(file)
  const target = targetOf(file)
  const importedAs = (specifier: string) =>
    specifier === '@zoetrope/contract'
      ? join(compiled.contract, 'index.d.ts')
      : join(dirname(file), specifier.replace(/\.js$/, '.d.ts'))
  const text = typesIn(file).replace(/(?<=(?:from\s*|import\()(['"]))[^'"]+(?=\1)/g, (specifier) => {
    const imported = importedAs(specifier)
    copyTypes(imported, copied)
    const path = relative(dirname(target), targetOf(imported)).replace(/\.d\.ts$/, '.js')
    return path.startsWith('.') ? path : `./${path}`
  })
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}

function targetOf(file: string): string {
  const inContract = relative(compiled.contract, file)
  return inContract.startsWith('..')
    ? join(made, relative(compiled.sdk, file))
    : join(made, 'contract', inContract)
}

function typesIn(file: string): string {
  // No type depends on the texts of the definitions, which are half of the bytes.
  const text = readFileSync(file, 'utf8')
    .replace(/^ *readonly about: "(?:[^"\\]|\\.)*";\n/gm, '')
    .replaceAll('readonly about: string;', 'readonly about?: string;')
  if (file !== join(compiled.contract, 'catalog.d.ts')) return text
  // The compiler repeats every definition here; their names are enough.
  const source = readFileSync(join(root, 'packages/contract/src/catalog.ts'), 'utf8')
  const [, entries = ''] = /^export const catalog = \{\n(.*?)\n\} as const$/ms.exec(source) ?? []
  const named = entries.replace(
    /^ *(\w+)(?:: (\w+))?,$/gm,
    (_, name: string, value = name) => `  readonly ${name}: typeof ${value};`,
  )
  return [
    ...(source.match(/^import .*$/gm) ?? []),
    `export declare const catalog: {\n${named}\n};`,
    text.slice(text.indexOf('export type Catalog =')),
  ].join('\n')
}

await build({
  absWorkingDir: join(root, 'packages/sdk'),
  entryPoints: ['src/index.ts'],
  outfile: join(made, 'index.js'),
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  conditions: ['zoetrope:source'],
  logLevel: 'warning',
  plugins: [computedOutline],
})
if (values.types) {
  rmSync(join(made, 'contract'), { recursive: true, force: true })
  copyTypes(join(compiled.sdk, 'index.d.ts'))
  cpSync(join(root, 'LICENSE'), join(values.to, 'LICENSE'))
}
