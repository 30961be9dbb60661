import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { Storage } from '../../packages/server/src/storage/storage.js'
import { gate } from './gate.js'

/** An empty storage to test, and what only its own test knows about it. */
export interface Subject {
  readonly storage: Storage
  /** Opens the same storage again, as another process or after a restart. */
  reopen(): Promise<Storage>
  stop(): Promise<void>
  /** Whether a reader whose object is replaced may fail. It never gets a mixture of both in any case. */
  readonly mayLoseReaders?: boolean
}

export const bytes = (size: number, fill: number | string = 7) => Buffer.alloc(size, fill)
export const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

export async function* of(...chunks: (Uint8Array | string)[]) {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

/** Some bytes, then nothing until released. `taken` resolves once they were processed. */
export function held(first: string) {
  const taken = gate()
  const released = gate()
  async function* body() {
    yield Buffer.from(first)
    taken.open()
    await released.passed
  }
  return { body: body(), taken: taken.passed, release: released.open }
}

export const content = async (storage: Storage, key: string, range?: { start: number; end: number }) => {
  const opened = await storage.read(key, range)
  return opened && (await buffer(opened.body)).toString()
}

export async function keysOf(listed: AsyncIterable<{ key: string }>): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of listed) keys.push(key)
  return keys
}

const keysUnder = (storage: Storage, prefix: string, options?: { after?: string; limit?: number }) =>
  keysOf(storage.list(prefix, options))

async function namesUnder(storage: Storage, prefix: string): Promise<string[]> {
  const names: string[] = []
  for await (const name of storage.names(prefix)) names.push(name)
  return names.sort()
}

/** The tests every storage must pass. Each uses its own prefix. */
export function testStorage(start: () => Promise<Subject>): void {
  let subject: Subject
  let storage: Storage
  before(async () => {
    subject = await start()
    storage = subject.storage
  })
  after(() => subject.stop())

  test('an object is written, read, replaced and removed', async () => {
    assert.deepEqual(await storage.put('one/a.txt', of('hello ', 'world')), {
      size: 11,
      sha256: sha256(Buffer.from('hello world')),
    })
    assert.equal(await content(storage, 'one/a.txt'), 'hello world')
    assert.equal((await storage.stat('one/a.txt'))?.size, 11)
    assert.ok(Date.now() - Number((await storage.stat('one/a.txt'))?.modifiedAt) < 60_000)
    await storage.put('one/a.txt', of('again'))
    assert.equal(await content(await subject.reopen(), 'one/a.txt'), 'again')
    await storage.remove('one/a.txt')
    await storage.remove('one/a.txt')
    assert.equal(await storage.stat('one/a.txt'), undefined)
    assert.equal(await storage.read('one/a.txt'), undefined)
  })

  test('a range is read from its start up to its end, at most to the end of the object', async () => {
    await storage.put('range/a', of('0123456789'))
    assert.equal(await content(storage, 'range/a', { start: 2, end: 5 }), '234')
    assert.equal(await content(storage, 'range/a', { start: 8, end: 100 }), '89')
    assert.equal(await content(storage, 'range/a', { start: 10, end: 20 }), '')
    assert.equal(await content(storage, 'range/a', { start: 3, end: 3 }), '')
    assert.equal((await storage.read('range/a', { start: 10, end: 11 }))?.size, 10)
    await storage.put('range/empty', of())
    assert.equal(await content(storage, 'range/empty'), '')
  })

  test('only our own words are valid keys', async () => {
    const wrong = [
      '',
      '/',
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      '../a',
      'a/../b',
      'a/.b',
      'A',
      'a b',
      'a\\b',
      'ä',
      '-a',
    ]
    for (const key of [...wrong, 'a\0b', 'a\n', '%2e%2e/a', 'a'.repeat(201), `${'a/'.repeat(150)}a`]) {
      const refused = { reason: 'bad_key' }
      await assert.rejects(storage.put(key, of('x')), refused, key)
      await assert.rejects(storage.read(key), refused, key)
      await assert.rejects(storage.stat(key), refused, key)
      await assert.rejects(storage.remove(key), refused, key)
      await assert.rejects(storage.removeUnder(key), refused, key)
      await assert.rejects(storage.openUpload(key), refused, key)
      await assert.rejects(storage.putFile(key, '/etc/hostname'), refused, key)
      await assert.rejects(
        storage.withLocalFile(key, async () => {}),
        refused,
        key,
      )
    }
    await storage.put('keys/a..b/c-_d.0', of('x'))
  })

  test('an incomplete write leaves the previous object', async () => {
    await storage.put('whole/a', of('old'))
    async function* broken() {
      yield Buffer.from('new')
      throw new Error('The connection was lost.')
    }
    await assert.rejects(storage.put('whole/a', broken()), /The connection was lost/)
    await assert.rejects(storage.put('whole/a', of('12', '34'), { maxBytes: 3 }), { reason: 'too_large' })
    const controller = new AbortController()
    const { body, taken } = held('new')
    const waiting = storage.put('whole/a', body, { signal: controller.signal })
    await taken
    controller.abort(new Error('Enough.'))
    await assert.rejects(waiting, /Enough/)
    await assert.rejects(storage.put('whole/b', of('x'), { signal: AbortSignal.abort() }), {
      name: 'AbortError',
    })
    assert.equal(await content(storage, 'whole/a'), 'old')
    assert.deepEqual(await keysUnder(storage, 'whole'), ['whole/a'])
    await storage.put('whole/a', of('123'), { maxBytes: 3 })
  })

  test('readers see one complete version while writers replace it', async () => {
    const size = 300_000
    const lost = 'replaced meanwhile'
    const ifReplaced = (error: unknown) => {
      if (!subject.mayLoseReaders || (error as { reason?: string }).reason !== 'replaced') throw error
      return lost
    }
    await storage.put('mix/a', of(bytes(size, 'a')))
    let isOver = false
    const writers = [...'bcd'].map(async (letter) => {
      for (let turn = 0; turn < 15; turn += 1)
        await storage.put('mix/a', of(bytes(size / 2, letter), bytes(size / 2, letter)))
    })
    const readers = [1, 2, 3, 4].map(async () => {
      while (!isOver) {
        const text = await content(storage, 'mix/a').catch(ifReplaced)
        if (text !== lost) assert.equal(text, text?.[0]?.repeat(size))
      }
    })
    await Promise.all(writers).finally(() => {
      isOver = true
    })
    await Promise.all(readers)
  })

  test('writing beside the last object of a folder while it is deleted never fails', async () => {
    const turns = Array.from({ length: 40 }, (_, turn) => turn)
    await Promise.all([
      ...turns.map((turn) => storage.put(`busy/deep/er/${turn % 4}`, of('x'))),
      ...turns.map((turn) => storage.remove(`busy/deep/er/${turn % 4}`)),
      ...turns.map(() => storage.removeUnder('busy/deep')),
    ])
    await storage.removeUnder('busy')
    assert.deepEqual(await keysUnder(storage, 'busy'), [])
  })

  test('a finished file is moved into the storage', async () => {
    await storage.withScratch(async (folder) => {
      const path = join(folder, 'made.mp4')
      await writeFile(path, 'film')
      assert.deepEqual(await storage.putFile('taken/a.mp4', path), { size: 4 })
      await assert.rejects(access(path))
      await assert.rejects(storage.putFile('taken/b.mp4', path), { code: 'ENOENT' })
    })
    assert.equal(await content(storage, 'taken/a.mp4'), 'film')
  })

  test('a scratch folder is empty, private, and deleted afterwards', async () => {
    const seen = await storage.withScratch(async (folder) => {
      await writeFile(join(folder, 'a'), 'x')
      await storage.withScratch(async (other) => assert.notEqual(other, folder))
      return folder
    })
    await assert.rejects(access(seen))
    const failing = storage.withScratch(() => Promise.reject(new Error('Broken.')))
    await assert.rejects(failing, /Broken/)
  })

  test('a local file keeps its bytes while the object is replaced and deleted', async () => {
    await storage.put('local/film.mp4', of('first'))
    const text = await storage.withLocalFile('local/film.mp4', async (path) => {
      assert.match(path, /\.mp4$/)
      await storage.put('local/film.mp4', of('second'))
      await storage.remove('local/film.mp4')
      return readFile(path, 'utf8')
    })
    assert.equal(text, 'first')
    await assert.rejects(
      storage.withLocalFile('local/film.mp4', async () => {}),
      { reason: 'missing' },
    )
  })

  test('an object is moved to another key and replaces what is there', async () => {
    await storage.put('move/from/a', of('film'))
    await storage.put('move/to/b', of('old'))
    assert.equal(await storage.move('move/from/a', 'move/to/b'), true)
    assert.equal(await content(storage, 'move/to/b'), 'film')
    assert.deepEqual(await keysUnder(storage, 'move'), ['move/to/b'])
    assert.equal(await storage.move('move/from/a', 'move/to/b'), false)
    assert.equal(await content(storage, 'move/to/b'), 'film')
    const both = [storage.move('move/to/b', 'move/c'), storage.move('move/to/b', 'move/c')]
    assert.ok((await Promise.all(both)).includes(true))
    assert.deepEqual(await keysUnder(storage, 'move'), ['move/c'])
    await assert.rejects(storage.move('move/c', '../c'), { reason: 'bad_key' })
  })

  test('objects are listed in key order, by whole words, and in pages', async () => {
    const keys = ['a-b', 'a.b', 'a/b', 'a/b-c/d', 'a/b.c', 'a/c/d', 'a/c/e', 'a0', 'ab/c'].map(
      (key) => `list/${key}`,
    )
    for (const key of keys.toReversed()) if (key !== 'list/a/b') await storage.put(key, of(key))
    await storage.put('list/a/b', of('x'))
    const sorted = keys.toSorted()
    assert.deepEqual(await keysUnder(storage, 'list'), sorted)
    assert.deepEqual(
      await keysUnder(storage, 'list/a'),
      sorted.filter((key) => key.startsWith('list/a/')),
    )
    for (const after of [...sorted, 'list/a', 'list/a/b0', 'list/zzz', 'a'])
      assert.deepEqual(
        await keysUnder(storage, 'list', { after }),
        sorted.filter((key) => key > after),
        after,
      )
    assert.deepEqual(await keysUnder(storage, 'list', { after: 'list/a/b', limit: 2 }), [
      'list/a/b-c/d',
      'list/a/b.c',
    ])
    assert.deepEqual(await keysUnder(storage, 'nothing'), [])
    assert.ok((await keysUnder(storage, '')).includes('list/a0'))
    assert.deepEqual(await namesUnder(storage, 'list'), ['a', 'a-b', 'a.b', 'a0', 'ab'])
    assert.deepEqual(await namesUnder(storage, 'nothing'), [])
    assert.equal(await storage.removeUnder('list/a'), 5)
    assert.equal(await storage.removeUnder('list/a'), 0)
    assert.deepEqual(await keysUnder(storage, 'list'), ['list/a-b', 'list/a.b', 'list/a0', 'list/ab/c'])
  })
}
