import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSubtitles } from './subtitles.js'
import { writeSrt } from './write-srt.js'

const limits = { bytes: 700_000, cues: 20_000 }
const clean = (text: string) => readSubtitles(Buffer.from(text), limits).vtt
const vttOf = (text: string, settings = '') =>
  clean(`WEBVTT\n\n00:00:01.000 --> 00:00:02.000${settings}\n${text}\n`)
const textOf = (text: string) => writeSrt(vttOf(text)).split('\n').slice(2, -1).join('\n')

test('what SubRip cannot express is left out, and the words stay', () => {
  assert.equal(textOf('<v Fred><c.yellow>Hi</c> <b.x>you</b></v>'), 'Hi <b>you</b>')
  assert.equal(textOf('<lang fr>Bonjour</lang> <ruby>漢<rt>kan</rt></ruby>'), 'Bonjour 漢kan')
  assert.equal(textOf('<i>one</i>\ntwo & <u>three</u>'), '<i>one</i>\ntwo & <u>three</u>')
  assert.equal(writeSrt(vttOf('x', ' line:37% size:50%')).split('\n')[2], 'x')
  assert.equal(writeSrt('WEBVTT\n'), '')
})

test('every text that was read from SubRip is the same after writing and reading it', () => {
  const texts = [
    '1 < 2',
    '&lt;b&gt;',
    '&amp;lt;',
    '<3',
    'a --> b',
    '1',
    '00:00:01 --&gt; 00:00:02',
    '{\\an9}up',
  ]
  const file = texts
    .map((text, at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at},500\n${text}\n`)
    .join('\n')
  const read = clean(file)
  assert.equal(read.split(' --> ').length - 1, texts.length)
  assert.equal(clean(writeSrt(read)), read)
})
