import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { seed } from '../../../../test/support/random.js'
import { fraction } from './fraction.js'
import { durationOf, planGrid, planWindows, secondsOf, segmentCount } from './grid.js'
import type { SourceFacts } from './source-facts.js'

const source = (duration: number, keyFrames: number[] | undefined, frameRate = fraction(30)) =>
  ({ container: 'mov', bytes: 1, duration, video: { frameRate, duration, keyFrames } }) as SourceFacts
const lengths = (facts: SourceFacts, onKeyFrames = false) => {
  const grid = planGrid(facts, { onKeyFrames })
  return Array.from({ length: segmentCount(grid) }, (_, segment) =>
    Number(secondsOf(grid, segment).toFixed(3)),
  )
}

test('the first segments are short, the others about four seconds', () => {
  assert.deepEqual(lengths(source(20, undefined)), [1, 1, 2, 4, 4, 4, 4])
})

test('borders lie on nearby key frames, and long groups are divided evenly', () => {
  assert.deepEqual(lengths(source(18, [0, 4.5, 9, 13.5])), [1, 1, 2.5, 4.5, 4.5, 4.5])
  assert.deepEqual(lengths(source(24, [0, 4, 14])), [1, 1, 2, 3.333, 3.333, 3.333, 3.333, 3.333, 3.333])
})

test('for a copy, all borders are key frames', () => {
  assert.deepEqual(lengths(source(10, [0, 2, 4, 6, 8]), true), [2, 2, 2, 4])
  assert.deepEqual(lengths(source(10, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), true), [1, 1, 2, 4, 2])
})

test('a short remainder joins the last segment', () => {
  assert.deepEqual(lengths(source(8.2, undefined)), [1, 1, 2, 4.2])
  assert.deepEqual(lengths(source(0.3, undefined)), [0.3])
})

test('seconds and frames are whole ticks at every rate', () => {
  for (const rate of [fraction(30_000, 1001), fraction(24), fraction(12_500, 500), fraction(15)]) {
    const { timescale, ticksPerFrame } = planGrid(source(10, undefined, rate), { onKeyFrames: false })
    assert.equal(ticksPerFrame * rate.numerator, timescale * rate.denominator)
    assert.ok(Number.isInteger(timescale) && Number.isInteger(ticksPerFrame))
  }
})

test('for any source, segments are contiguous and none is empty', () => {
  const any = fc.record({
    duration: fc.double({ min: 0.05, max: 200, noNaN: true }),
    keyFrames: fc.array(fc.double({ min: -1, max: 250, noNaN: true }), { maxLength: 60 }),
    onKeyFrames: fc.boolean(),
  })
  fc.assert(
    fc.property(any, ({ duration, keyFrames, onKeyFrames }) => {
      const grid = planGrid(
        source(
          duration,
          [...keyFrames].sort((a, b) => a - b),
        ),
        { onKeyFrames },
      )
      assert.equal(grid.borders[0], 0)
      for (let segment = 0; segment < segmentCount(grid); segment += 1)
        assert.ok(secondsOf(grid, segment) > 0)
      assert.ok(Math.abs(durationOf(grid) - duration) < 0.04)
      const windows = planWindows(grid)
      assert.equal(windows[0]?.from, 0)
      assert.equal(windows.at(-1)?.to, segmentCount(grid))
      for (const [index, { from, to }] of windows.entries()) {
        assert.ok(to > from)
        assert.equal(from, windows[index - 1]?.to ?? 0)
      }
    }),
    { seed },
  )
})

test('windows are no longer than a viewer would wait for', () => {
  const windows = planWindows(planGrid(source(40, undefined), { onKeyFrames: false }))
  assert.deepEqual(windows.slice(0, 4), [
    { from: 0, to: 1 },
    { from: 1, to: 3 },
    { from: 3, to: 4 },
    { from: 4, to: 5 },
  ])
})

test('without video, borders lie on audio frames', () => {
  const grid = planGrid({ container: 'mp3', bytes: 1, duration: 10 }, { onKeyFrames: false })
  assert.deepEqual(grid.borders.slice(0, 2), [0, 47])
  assert.ok(Math.abs(durationOf(grid) - 10) < 0.02)
})
