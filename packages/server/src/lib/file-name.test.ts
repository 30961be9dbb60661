import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanFileName, titleFrom } from './file-name.js'

const names: readonly (readonly [about: string, name: string, clean: string, title: string])[] = [
  ['a plain name', 'My film.mp4', 'My film.mp4', 'My film'],
  ['no ending', 'film', 'film', 'film'],
  ['only an ending', '.mp4', '.mp4', '.mp4'],
  ['a dot in the middle', 'Vol. 2 of it', 'Vol. 2 of it', 'Vol. 2 of it'],
  ['several endings', 'film.final.mov', 'film.final.mov', 'film.final'],
  ['nothing', '', '', 'Untitled'],
  ['blanks only', ' \t ', '', 'Untitled'],
  ['quotation marks, as forms write them', 'a %22b%22.mp4', 'a "b".mp4', 'a "b"'],
  ['control characters', 'a\u0000b\r\nc.mp4', 'a b c.mp4', 'a b c'],
  ['text with a reversed direction', 'film\u202e4pm.exe', 'film 4pm.exe', 'film 4pm'],
  ['a language written from right to left', 'סרט.mp4', 'סרט.mp4', 'סרט'],
  ['a lone surrogate', 'a\ud800b.mp4', 'a b.mp4', 'a b'],
  ['longer than a title may be', `${'ü'.repeat(600)}.mp4`, `${'ü'.repeat(600)}.mp4`, 'ü'.repeat(500)],
] // biome-ignore format: a table

for (const [about, name, clean, title] of names)
  test(`the name of a file: ${about}`, () => {
    assert.equal(cleanFileName(name), clean)
    assert.equal(titleFrom(cleanFileName(name)), title)
  })
