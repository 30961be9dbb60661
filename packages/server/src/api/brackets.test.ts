import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinearUpTo } from '../../../../test/support/work.js'
import { nest, nestForm } from './brackets.js'

/** As plain objects, to be compared. */
const plain = (text: string) => JSON.parse(JSON.stringify(nestForm(text))) as unknown

test('brackets nest, empty ones list, numbers list in their order', () => {
  const cases: Record<string, unknown> = {
    'a=1&b=2': { a: '1', b: '2' },
    'video[title]=a&video[keywords][]=b&video[keywords][]=c': { video: { title: 'a', keywords: ['b', 'c'] } },
    'a[1][b]=y&a[0][b]=x': { a: [{ b: 'x' }, { b: 'y' }] },
    'a[][b]=1&a[][c]=2&a[][b]=3': { a: [{ b: '1', c: '2' }, { b: '3' }] },
    'a=1&a=2&a=3': { a: ['1', '2', '3'] },
    'a.gte=1&a!=2&a[]=': { 'a.gte': '1', 'a!': '2', a: [''] },
    'category[My title]=x': { category: { 'My title': 'x' } },
  }
  for (const [text, expected] of Object.entries(cases)) assert.deepEqual(plain(text), expected, text)
})

test('brackets that do not close or open are part of the name', () => {
  for (const name of ['a[b', 'a]b', '[a]', 'a[b]c', 'a[[b]]', ']', '['])
    assert.deepEqual(plain(`${encodeURIComponent(name)}=1`), { [name]: '1' }, name)
})

test('names of the language are names like any other', () => {
  const tree = nestForm('__proto__[x]=1&constructor[prototype][y]=2&toString=3&a[__proto__]=4')
  assert.deepEqual(Object.keys(tree), ['__proto__', 'constructor', 'toString', 'a'])
  assert.equal(({} as { x?: string }).x, undefined)
  assert.equal(String(tree.a), '[group]')
})

test('a name that is both a value and a group, or too deep, or one of too many, is refused', () => {
  const refused = [
    'a=1&a[b]=2',
    'a[b]=1&a[]=2',
    'a[]=1&a[b]=2',
    `a${'[b]'.repeat(20)}=1`,
    'a=1&'.repeat(1001),
  ]
  for (const text of refused) assert.throws(() => nestForm(text), { status: 422 }, text.slice(0, 40))
})

test('a list given whole is taken whole, however long', () => {
  const long = Array.from({ length: 300_000 }, () => 1)
  assert.equal((nest([['a[]', long]]).a as unknown[]).length, long.length)
})

test('a parameter that is repeated takes time in proportion to its repetitions', () =>
  assertLinearUpTo(async (count) => {
    const pairs = Array.from({ length: count }, () => ['a', '1'] as const)
    for (let round = 0; round < 20; round += 1) nest(pairs)
  }, 1000))
