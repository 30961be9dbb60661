import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storyboardCues } from './picture-args.js'

const tile = { width: 160, height: 90 }
const sheetAddress = (sheet: number) => `sheet-${sheet}.jpg`

test('cues go along the rows of a sheet, then to the next sheet, up to the end of the video', () => {
  const board = { tile, columns: 10, rows: 10, interval: 36, pictures: 102, sheets: 2 }
  const [heading, ...cues] = storyboardCues(board, 3640.5, sheetAddress).trim().split('\n\n')

  assert.equal(heading, 'WEBVTT')
  assert.equal(cues.length, 102)
  assert.equal(cues[0], '00:00:00.000 --> 00:00:36.000\nsheet-0.jpg#xywh=0,0,160,90')
  assert.equal(cues[11], '00:06:36.000 --> 00:07:12.000\nsheet-0.jpg#xywh=160,90,160,90')
  assert.equal(cues[101], '01:00:36.000 --> 01:00:40.500\nsheet-1.jpg#xywh=160,0,160,90')
})
