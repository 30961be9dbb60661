/** Catches what `npm ci` would warn about. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

interface Locked {
  readonly packages: Readonly<
    Record<string, { readonly engines?: { readonly node?: string }; readonly hasInstallScript?: boolean }>
  >
}
interface Project {
  readonly engines: { readonly node: string }
  readonly allowScripts: Readonly<Record<string, boolean>>
}

const read = <T>(name: string) =>
  JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')) as T
const { packages } = read<Locked>('package-lock.json')
const { engines, allowScripts } = read<Project>('package.json')

const numbersOf = (version: string) => version.split('.').map((part) => Number.parseInt(part, 10) || 0)

/** Returns whether a version is at least another one. */
function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(least)]
  const at = [0, 1, 2].find((index) => a[index] !== (b[index] ?? 0))
  return at === undefined || (a[at] ?? 0) > (b[at] ?? 0)
}

/** Returns whether a version is in a range such as `^20.19.0 || >=22.12.0`, in the forms that packages use for Node. */
const isInRange = (version: string, range: string): boolean =>
  range.split('||').some((part) => {
    const [, sign, least = '', end] = /^\s*(>=|\^|)\s*v?([\d.x*]+)\s*(?:<\s*([\d.]+)\s*)?$/.exec(part) ?? []
    if (least === '') throw new Error(`The range ${range} cannot be read.`)
    if (least === '*') return true
    if (end !== undefined && isAtLeast(version, end)) return false
    return isAtLeast(version, least) && (sign === '>=' || numbersOf(version)[0] === numbersOf(least)[0])
  })

test('a range of versions is read as npm reads it', () => {
  for (const range of [
    '>=20.19',
    '>= 10',
    '^20.19.0 || >=22.12.0',
    '20 || >=22',
    '6.* || 8.* || >= 10.*',
    '>=6 <7 || >=8',
    '*',
    '>=20.0.0',
  ])
    assert.equal(isInRange('20.19.0', range), true, range)
  for (const range of ['>=22', '^18.3.0', '>=20.19.1', '^20.20.0 || >=22.12.0', '10.*', '>=6 <20'])
    assert.equal(isInRange('20.19.0', range), false, range)
})

test('every package runs on the oldest Node that we support', () => {
  const oldest = `${engines.node.replace('>=', '')}.0`
  const refused = Object.entries(packages).filter(
    ([, { engines: needs }]) => !isInRange(oldest, needs?.node ?? '>=0'),
  )
  assert.deepEqual(
    refused.map(([name]) => name),
    [],
  )
})

test('every package that would run a script at its installation is allowed to, or is not', () => {
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
    .filter((name) => name !== '')
  assert.deepEqual(names.sort(), Object.keys(allowScripts).sort())
})
