/** The functions behind the editor of subtitles. What they write is read by the server as it would be after an upload. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  matchesIn,
  replaceAll,
  replaceOne,
} from '../packages/dashboard/src/pages/subtitle-editor/find-replace.js'
import { editorCommand, lineCommand } from '../packages/dashboard/src/pages/subtitle-editor/keys.js'
import {
  addLine,
  joinLines,
  type Line,
  lineBefore,
  nudge,
  shiftLimits,
  shiftLines,
  splitLine,
  splitText,
} from '../packages/dashboard/src/pages/subtitle-editor/line-edits.js'
import { allProblems } from '../packages/dashboard/src/pages/subtitle-editor/line-problems.js'
import { cuesOf, vttOf, wordsOf } from '../packages/dashboard/src/pages/video/subtitles/cues.js'
import {
  guessFromName,
  guessFromText,
  guessLanguage,
} from '../packages/dashboard/src/pages/video/subtitles/guess-language.js'
import { findLanguages, languageCode } from '../packages/dashboard/src/ui/languages.js'
import { readSubtitles } from '../packages/server/src/media/subtitles.js'

const cleanVtt = (text: string) => readSubtitles(Buffer.from(text), { bytes: 700_000, cues: 20_000 }).vtt

const line = (key: number, start: number, end: number, text: string): Line => ({
  ...{ key, start, end, text },
  ...{ id: '', settings: '' },
})
const three = [
  line(1, 1000, 3000, 'One two'),
  line(2, 3000, 4000, '<i>three</i>'),
  line(3, 9000, 9500, 'four'),
]
const told = (lines: readonly Line[]) => lines.map(({ start, end, text }) => [start, end, text])

test('lines that are read and written again are the same for the server, with names, places and tags', () => {
  const texts = [
    '<v Fred & Ann><i>Good</i> morning</v>',
    '1 &lt; 2 &amp; 3 &gt; 2 &lt;3',
    '&lt;b&gt; is not bold, &amp;lt; is an escape',
    'left --&gt; right\n00:00:07.000 --&gt; 00:00:08.000',
    '<c.yellow>two</c>\n<ruby>漢<rt>kan</rt></ruby>',
    '&lt;00:00:01.500&gt; x',
  ]
  const file = texts.map(
    (text, at) => `name ${at}\n00:00:0${at}.000 --> 00:00:0${at}.900 line:${at}0%\n${text}\n`,
  )
  const vtt = cleanVtt(`WEBVTT\n\n${file.join('\n')}`)
  const cues = cuesOf(vtt)
  assert.equal(cues.length, texts.length)
  assert.deepEqual([cues[1]?.id, cues[1]?.settings], ['name 1', 'line:10%'])
  assert.equal(cues[1]?.text, '1 < 2 & 3 > 2 <3')
  assert.equal(cleanVtt(vttOf(cues)), vtt)
  assert.equal(wordsOf(cues[0]?.text ?? ''), 'Good morning')
})

test('empty lines are left out, and blank lines inside a text do not end it', () => {
  const vtt = vttOf([line(1, 0, 900, 'One\n\n  \ntwo'), line(2, 1000, 2000, ' <i></i>')])
  assert.equal(vtt, 'WEBVTT\n\n00:00:00.000 --> 00:00:00.900\nOne\ntwo\n')
})

test('a line is split at the cursor, at the playhead if that is inside it, and its tags stay whole', () => {
  assert.deepEqual(told(splitLine(three, 0, 4, 9)), [
    [1000, 1857, 'One'],
    [1857, 3000, 'two'],
    [3000, 4000, '<i>three</i>'],
    [9000, 9500, 'four'],
  ])
  assert.deepEqual(told(splitLine(three, 0, 4, 9, 2500)).slice(0, 2), [
    [1000, 2500, 'One'],
    [2500, 3000, 'two'],
  ])
  assert.deepEqual(told(splitLine(three, 0, 4, 9, 3000))[0]?.[1], 1857)
  assert.deepEqual(splitText('<v Fred><i>one two</i></v>', 15), [
    '<v Fred><i>one</i></v>',
    '<v Fred><i>two</i></v>',
  ])
  assert.deepEqual(splitText('a <i>b</i>', 4), ['a', '<i>b</i>'])
  const [head, tail] = splitLine([{ ...three[0], id: 'intro', settings: 'line:0' } as Line], 0, 3, 9)
  assert.deepEqual([head?.id, head?.settings, tail?.id, tail?.settings], ['intro', 'line:0', '', 'line:0'])
})

test('lines are joined, added and shifted, and none starts before the film', () => {
  assert.deepEqual(told(joinLines(three, 0)), [
    [1000, 4000, 'One two\n<i>three</i>'],
    [9000, 9500, 'four'],
  ])
  assert.equal(joinLines(three, 2), three)
  assert.deepEqual(told(addLine(three, 2, 9))[2], [4000, 6000, ''])
  assert.deepEqual(told(addLine(three, 2, 9, 8200))[2], [8200, 9000, ''])
  assert.deepEqual(told(addLine([], undefined, 9)), [[0, 2000, '']])
  assert.deepEqual([lineBefore(three, 500), lineBefore(three, 3500)], [undefined, 2])
  assert.equal(shiftLimits(three).least, -1000)
  assert.deepEqual(told(shiftLines(three, -5000, () => true))[0], [0, 2000, 'One two'])
  assert.deepEqual(
    shiftLines(three, 1500, ({ key }) => key > 1).map(({ start }) => start),
    [1000, 4500, 10_500],
  )
  assert.deepEqual(nudge(three[0] as Line, -2000, 'both'), { start: 0, end: 2000 })
  assert.deepEqual(nudge(three[0] as Line, 100, 'end'), { end: 3100 })
})

test('find and replace ignores tags, matches case if asked, and takes signs as they are', () => {
  const lines = [line(1, 0, 1, '<i>I like it. I do.</i>'), line(2, 1, 2, 'ISLAND (a+b)')]
  const search = (find: string, isCaseMatched = false) => ({ find, isCaseMatched })
  assert.equal(matchesIn(lines, search('i')).length, 5)
  assert.equal(matchesIn(lines, search('I', true)).length, 3)
  assert.deepEqual(matchesIn(lines, search('(a+b)')), [{ key: 2, from: 7, to: 12 }])
  assert.deepEqual(matchesIn(lines, search('')), [])
  const [first] = matchesIn(lines, search('like'))
  assert.ok(first)
  assert.equal(replaceOne(lines, first, '$& love')[0]?.text, '<i>I $& love it. I do.</i>')
  const all = replaceAll(lines, search('I', true), 'You $1')
  assert.equal(all[0]?.text, '<i>You $1 like it. You $1 do.</i>')
  assert.equal(replaceAll(lines, search('none'), 'x')[0], lines[0])
})

test('overlaps, fast and empty lines, and lines that end before they start are found', () => {
  const lines = [
    line(1, 0, 1000, 'x'.repeat(26)),
    line(2, 900, 2000, `<i>${'x'.repeat(26)}</i>`),
    line(3, 3000, 3000, 'x'),
    line(4, 4000, 5000, ' '),
    line(5, 5000, 6000, 'x'.repeat(25)),
  ]
  assert.deepEqual(
    [...allProblems(lines)],
    [
      [1, ['fast']],
      [2, ['overlap']],
      [3, ['backwards']],
      [4, ['empty']],
    ],
  )
})

const pressed = (key: string, more: Partial<KeyboardEvent> = {}) => ({
  ...{ key, code: '', isComposing: false },
  ...{ ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more },
})

test('keys are commands, unless they are needed for the text', () => {
  const at = (text: string, from: number) => ({ field: 'text' as const, text, from, to: from })
  assert.equal(lineCommand(pressed('Enter'), at('x', 1)), 'next')
  assert.equal(lineCommand(pressed('Enter', { shiftKey: true }), at('x', 1)), undefined)
  assert.equal(lineCommand(pressed('Enter', { ctrlKey: true }), at('x', 1)), 'split')
  assert.equal(lineCommand(pressed('Enter', { isComposing: true }), at('x', 1)), undefined)
  assert.equal(lineCommand(pressed('ArrowDown'), at('a\nb', 1)), undefined)
  assert.equal(lineCommand(pressed('ArrowDown'), at('a\nb', 3)), 'down')
  assert.equal(lineCommand(pressed('Backspace'), at('x', 1)), undefined)
  assert.equal(lineCommand(pressed('π', { code: 'KeyP', altKey: true }), at('x', 1)), 'play')
  assert.equal(lineCommand(pressed('ü', { code: 'BracketLeft', ctrlKey: true }), at('x', 1)), 'startNow')
  assert.equal(editorCommand(pressed('Z', { metaKey: true, shiftKey: true })), 'redo')
  assert.equal(editorCommand(pressed('s')), undefined)
})

test('the language of a file is guessed from its name', () => {
  const names: Readonly<Record<string, readonly [string | undefined, boolean, boolean]>> = {
    'film.en.srt': ['en', false, false],
    'film_pt-BR.vtt': ['pt-BR', false, false],
    'film.pt_br.srt': ['pt-BR', false, false],
    'film.de.forced.srt': ['de', true, false],
    'film.en.hi.srt': ['en', false, true],
    'film.hi.srt': ['hi', false, false],
    'Film (2024) [eng].SRT': ['en', false, false],
    'film.ger.sdh.vtt': ['de', false, true],
    'My film - German.srt': ['de', false, false],
    'film.Deutsch.srt': ['de', false, false],
    'film.zh-Hant.vtt': ['zh-Hant', false, false],
    'This is it.srt': [undefined, false, false],
    'film.srt': [undefined, false, false],
    'the.end.srt': [undefined, false, false],
    'fr.vtt': ['fr', false, false],
  }
  for (const [name, [language, isForced, isForDeaf]] of Object.entries(names))
    assert.deepEqual(guessFromName(name), { language, isForced, isForDeaf }, name)
})

test('the language of a text is guessed only if it is clear', () => {
  assert.equal(guessFromText('What is the matter with you? That was not for me, and you have to go.'), 'en')
  assert.equal(
    guessFromText('Ich weiß nicht, was das ist, und die Leute sind nicht mit uns auf der Insel.'),
    'de',
  )
  assert.equal(
    guessFromText(
      'これはペンです。それは何ですか。私はここに住んでいます。今日はとてもいい天気ですね。そうですか。',
    ),
    'ja',
  )
  assert.equal(guessFromText('Lorem ipsum dolor sit amet consectetur adipiscing elit sed tempor'), undefined)
  assert.equal(guessFromText('Hi you'), undefined)
})

test('a file name of two letters counts only if the text does not speak against it', () => {
  const english = 'What is the matter with you? That was not for me, and you have to go.'
  const german = 'Ich weiß nicht, was das ist, und die Leute sind nicht mit uns auf der Insel.'
  for (const [name, text, language] of [
    ['my.srt', english, 'en'],
    ['my.srt', 'Hi you', undefined],
    ['my.srt', 'မင်္ဂလာပါ', 'my'],
    ['fr.vtt', 'Oui', 'fr'],
    ['ja.srt', 'はい', 'ja'],
    ['film.fr.srt', english, 'fr'],
    ['film.srt', german, 'de'],
  ] as const)
    assert.equal(guessLanguage(name, text), language, `${name}: ${text}`)
})

test('languages are found by their code, their English name and their own name, with or without accents', () => {
  for (const search of ['de', 'German', 'deutsch']) assert.equal(findLanguages(search)[0]?.code, 'de', search)
  assert.equal(findLanguages('francais')[0]?.code, 'fr')
  assert.ok(findLanguages('portug').some(({ code }) => code === 'pt-BR'))
  assert.deepEqual(findLanguages('klingonish'), [])
  assert.ok(findLanguages('').length > 150)
  assert.equal(languageCode('klingonish'), undefined)
})
