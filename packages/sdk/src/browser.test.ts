import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** Statements at the beginning of a line, and calls. Texts may have the same words before a quotation mark. */
const imports = /(?:^(?:import|export)\b[^'"]*?\bfrom\s*|^import\s*|\bimport\(\s*)['"]([^'"]+)['"]/gm

/** Compiled aside, so that a test never writes where another reads. */
function build(t: { after(run: () => void): void }, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'zoetrope-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const buildInfo = join(folder, 'tsbuildinfo')
  const args = ['-p', `packages/${name}`, '--outDir', folder, '--tsBuildInfoFile', buildInfo]
  execFileSync(process.execPath, [tsc, ...args], { cwd: root })
  return folder
}

for (const name of ['sdk', 'contract'])
  test(`the build of ${name} imports nothing that a browser lacks`, (t) => {
    const folder = build(t, name)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.js'),
    )
    assert.ok(files.includes('index.js'))

    const found = files.flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(imports)].map(([, specifier = '']) => specifier),
    )
    assert.ok(found.includes(name === 'sdk' ? '@zoetrope/contract' : './limits.js'))
    for (const specifier of found) assert.match(specifier, /^\.\.?\/|^@zoetrope\/contract(\/outline)?$/)
  })
