import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { givingBack } from '../../packages/server/src/lib/giving-back.js'
import type { Storage } from '../../packages/server/src/storage/storage.js'
import { bytes, content, held, keysOf, of, type Subject, sha256 } from './storage-contract.js'

/** The tests every storage must pass for objects that grow. */
export function testUploads(start: () => Promise<Subject>): void {
  let subject: Subject
  let storage: Storage
  before(async () => {
    subject = await start()
    storage = subject.storage
  })
  after(() => subject.stop())

  const begun = () => keysOf(storage.listUploads())

  test('an upload grows piece by piece, and becomes an object only when it is finished', async () => {
    const upload = await storage.openUpload('up/a')
    assert.equal(await upload.offset(), 0)
    assert.deepEqual(await begun(), [])
    assert.equal(await upload.append(of('hello '), 0), 6)
    assert.equal(await upload.append(of('wor', 'ld'), 6), 11)
    assert.deepEqual(await begun(), ['up/a'])
    assert.equal(await storage.stat('up/a'), undefined)
    const facts = { size: 11, sha256: sha256(Buffer.from('hello world')) }
    assert.deepEqual(await upload.finish(), facts)
    assert.equal(await content(storage, 'up/a'), 'hello world')
    assert.deepEqual(await begun(), [])
    assert.deepEqual(await upload.finish(), facts)
    assert.deepEqual(await (await (await subject.reopen()).openUpload('up/a')).finish(), facts)
  })

  test('an upload continues after a restart, and its digest covers all of it', async () => {
    await (await storage.openUpload('again/a')).append(of('one'), 0)
    const upload = await (await subject.reopen()).openUpload('again/a')
    assert.equal(await upload.offset(), 3)
    assert.equal(await upload.append(of('two'), 3), 6)
    assert.deepEqual(await (await storage.openUpload('again/a')).finish(), {
      size: 6,
      sha256: sha256(Buffer.from('onetwo')),
    })
  })

  test('chunks that lose their bytes when the next is requested arrive whole', async () => {
    const film = randomBytes(300_000)
    async function* small() {
      for (let at = 0; at < film.length; at += 700) yield new Uint8Array(film.subarray(at, at + 700))
    }
    const checksum = { algorithm: 'sha1', digest: createHash('sha1').update(film).digest() } as const
    for (const options of [{}, { checksum }]) {
      const key = `given/${'checksum' in options}`
      const upload = await storage.openUpload(key)
      assert.equal(await upload.append(givingBack(small()), 0, options), film.length)
      assert.deepEqual(await upload.finish(), { size: film.length, sha256: sha256(film) })
      const object = await storage.read(key)
      assert.ok(object && (await buffer(object.body)).equals(film))
    }
  })

  test('an append at another offset is refused and changes nothing', async () => {
    const upload = await storage.openUpload('offset/a')
    await upload.append(of('abc'), 0)
    for (const wrong of [0, 2, 4, -1, Number.NaN])
      await assert.rejects(upload.append(of('x'), wrong), { reason: 'wrong_offset' })
    assert.equal(await upload.offset(), 3)
    await upload.finish()
    assert.equal(await content(storage, 'offset/a'), 'abc')
  })

  test('bytes received before a lost connection are kept', async () => {
    const upload = await storage.openUpload('dead/a')
    async function* broken() {
      yield Buffer.from('kept')
      throw new Error('The connection was lost.')
    }
    await assert.rejects(upload.append(broken(), 0), /The connection was lost/)
    assert.equal(await upload.offset(), 4)
    const controller = new AbortController()
    const { body, taken } = held(' too')
    const waiting = upload.append(body, 4, { signal: controller.signal })
    await taken
    controller.abort(new Error('Enough.'))
    await assert.rejects(waiting, /Enough/)
    assert.equal(await upload.offset(), 8)
    await assert.rejects(upload.append(of('12', '34'), 8, { maxBytes: 3 }), { reason: 'too_large' })
    assert.equal(await upload.offset(), 10)
    const whole = Buffer.from('kept too12')
    assert.deepEqual(await upload.finish(), { size: 10, sha256: sha256(whole) })
  })

  test('an upload is finished only with as many bytes as expected', async () => {
    const upload = await storage.openUpload('expected/a')
    await upload.append(of('half'), 0)
    await assert.rejects(upload.finish(8), { reason: 'wrong_offset' })
    assert.equal(await storage.stat('expected/a'), undefined)
    assert.equal(await upload.append(of('more'), 4), 8)
    const facts = { size: 8, sha256: sha256(Buffer.from('halfmore')) }
    assert.deepEqual(await upload.finish(8), facts)
    assert.deepEqual(await upload.finish(8), facts)
    await assert.rejects(upload.finish(9), { reason: 'broken' })
    assert.equal(await content(storage, 'expected/a'), 'halfmore')
  })

  test('with a checksum all bytes count or none', async () => {
    const upload = await storage.openUpload('sum/a')
    const checksum = { algorithm: 'sha1', digest: createHash('sha1').update('good').digest() } as const
    await upload.append(of('start '), 0)
    await assert.rejects(upload.append(of('bad and longer'), 6, { checksum }), { reason: 'checksum' })
    assert.equal(await upload.offset(), 6)
    assert.equal(await upload.append(of('go', 'od'), 6, { checksum }), 10)
    assert.deepEqual(await upload.finish(), { size: 10, sha256: sha256(Buffer.from('start good')) })
  })

  test('a request that continues an upload takes it over from the previous one', async () => {
    const upload = await storage.openUpload('over/a')
    await upload.append(of('abc'), 0)
    const { body, taken } = held('lost')
    const hanging = assert.rejects(upload.append(body, 3), { reason: 'taken_over' })
    await taken
    assert.equal(await upload.append(of('def'), 3), 6)
    await hanging
    const contenders = await Promise.allSettled(
      [...'123456'].map((letter) => upload.append(of(bytes(100_000, letter)), 6)),
    )
    assert.equal(contenders.filter(({ status }) => status === 'fulfilled').length, 1)
    const { size, sha256: digest } = await upload.finish()
    const text = (await content(storage, 'over/a')) ?? ''
    assert.equal(size, 100_006)
    assert.equal(digest, sha256(Buffer.from(text)))
    assert.match(text, /^abcdef(.)\1+$/)
  })

  test('another process that continues an upload takes it over too', async () => {
    const first = await storage.openUpload('far/a')
    const second = await (await subject.reopen()).openUpload('far/a')
    const { body, taken, release } = held('first')
    const slow = assert.rejects(first.append(body, 0), { reason: 'taken_over' })
    await taken
    await second.append(of('second'), 0)
    release()
    await slow
    assert.deepEqual(await second.finish(), { size: 6, sha256: sha256(Buffer.from('second')) })
  })

  test('an aborted upload is gone', async () => {
    const upload = await storage.openUpload('gone/a')
    await upload.append(of('x'), 0)
    await upload.abort()
    await upload.abort()
    assert.equal(await upload.offset(), 0)
    assert.ok(!(await begun()).includes('gone/a'))
    await assert.rejects(upload.finish(), { reason: 'missing' })
  })
}
