import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { seed } from '../../../../test/support/random.js'
import { type Piece, readPieces } from './fragments.js'
import { boxesOf, findBox, keySample, makeBox, readFragment, words, writeFragment } from './mp4-boxes.js'
import { keyFramesOf } from './mp4-index.js'

const sample = (size: number, offset = 0) => ({ size, duration: 1001, flags: keySample, offset })
const fragment = {
  baseTime: 5_000_000_000,
  samples: [sample(3), sample(2, -1001)],
  data: Buffer.from('abcde'),
}

async function piecesOf(bytes: Buffer, step: number): Promise<Piece[]> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
  }
  const found: Piece[] = []
  for await (const piece of readPieces(chunks())) found.push(piece)
  return found
}

test('a written fragment can be read again', () => {
  const bytes = writeFragment(fragment, 7)
  const [moof, mdat] = boxesOf(bytes)
  assert.ok(moof && mdat)
  const read = readFragment(bytes.subarray(moof.start, moof.end), bytes.subarray(mdat.start, mdat.end))
  assert.deepEqual(read, fragment)
})

test('a stream is split correctly however its bytes arrive', async () => {
  const init = Buffer.concat([makeBox('ftyp', words(1)), makeBox('moov', words(2))])
  const bytes = Buffer.concat([init, writeFragment(fragment, 1), writeFragment(fragment, 2)])
  for (const step of [1, 7, 64, 10_000])
    assert.deepEqual(await piecesOf(bytes, step), [
      { kind: 'init', bytes: init },
      { kind: 'fragment', fragment },
      { kind: 'fragment', fragment },
    ])
  await assert.rejects(piecesOf(bytes.subarray(0, -1), 50), /middle of a box/)
  await assert.rejects(piecesOf(Buffer.alloc(64), 50), /box of 0 bytes/)
})

test('boxes with a wrong length are ignored', () => {
  const inner = makeBox('trak', makeBox('mdia', words(1)))
  const outer = makeBox('moov', inner)
  assert.ok(findBox(outer, ['moov', 'trak', 'mdia']))
  outer.writeUInt32BE(9999, 8)
  assert.equal(findBox(outer, ['moov', 'trak']), undefined)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const buffer = Buffer.from(bytes)
      boxesOf(buffer)
      keyFramesOf(makeBox('moov', makeBox('trak', buffer)), 100)
    }),
    { seed },
  )
})

test('a fragment whose samples do not match its data is refused', () => {
  const bytes = writeFragment({ ...fragment, data: Buffer.from('abcdef') }, 1)
  const [moof, mdat] = boxesOf(bytes)
  assert.ok(moof && mdat)
  assert.throws(
    () => readFragment(bytes.subarray(0, moof.end), bytes.subarray(mdat.start)),
    /do not match its data/,
  )
})
