import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SubtitleRefused } from './subtitle-bytes.js'
import { readSubtitles, type SubtitleForm } from './subtitles.js'

const limits = { bytes: 700_000, cues: 20_000 }
const read = (given: string | Uint8Array, form?: SubtitleForm) =>
  readSubtitles(typeof given === 'string' ? Buffer.from(given) : given, limits, form)
/** The cues of the result, without its header. */
const cuesOf = (given: string | Uint8Array) => read(given).vtt.replace(/^WEBVTT\n\n/, '')
const refused = (given: string | Uint8Array, why: RegExp, form?: SubtitleForm) =>
  assert.throws(
    () => read(given, form),
    (error) => error instanceof SubtitleRefused && why.test(error.message),
  )

const srt = `1
00:00:01,000 --> 00:00:02,500
Good <i>morning</i>.

2
00:00:03,000 --> 00:00:04,000
Two
lines
`
const vtt = `WEBVTT

00:00:01.000 --> 00:00:02.500
Good <i>morning</i>.

00:00:03.000 --> 00:00:04.000
Two
lines
`

test('SubRip becomes WebVTT', () => {
  assert.deepEqual(read(srt), { form: 'srt', vtt, cues: 2 })
})

test('clean WebVTT is unchanged', () => {
  assert.deepEqual(read(vtt), { form: 'vtt', vtt, cues: 2 })
  assert.equal(read(read(srt).vtt).vtt, vtt)
})

test('line endings and encodings of all programs are read', () => {
  assert.equal(read(srt.replaceAll('\n', '\r\n')).vtt, vtt)
  assert.equal(read(srt.replaceAll('\n', '\r')).vtt, vtt)
  assert.equal(read(`\ufeff${srt}`).vtt, vtt)
  assert.equal(read(`\ufeff${vtt}`).vtt, vtt)
  const little = Buffer.from(`\ufeff${srt}`, 'utf16le')
  assert.equal(read(little).vtt, vtt)
  assert.equal(read(Buffer.from(little).swap16()).vtt, vtt)
})

test('text that is not UTF-8 is read as Windows-1252', () => {
  const bytes = Buffer.concat([
    Buffer.from('1\n00:00:01,000 --> 00:00:02,000\n'),
    // Für 5 € – “ja”
    Buffer.from([0x46, 0xfc, 0x72, 0x20, 0x35, 0x20, 0x80, 0x20, 0x96, 0x20, 0x93, 0x6a, 0x61, 0x94]),
  ])
  assert.equal(cuesOf(bytes), '00:00:01.000 --> 00:00:02.000\nFür 5 € – “ja”\n')
})

test('missing blank lines and numbers, and extra blank lines, are tolerated', () => {
  const close = '1\n00:00:01,000 --> 00:00:02,000\nOne\n2\n00:00:02,000 --> 00:00:03,000\nTwo'
  assert.equal(cuesOf(close), '00:00:01.000 --> 00:00:02.000\nOne\n\n00:00:02.000 --> 00:00:03.000\nTwo\n')
  assert.equal(cuesOf('00:01,5 --> 0:00:02\nOne\n\n\nmore\n\n'), '00:00:01.005 --> 00:00:02.000\nOne\nmore\n')
  assert.equal(cuesOf('\n\n  00:00:01,000-->00:00:02,000  \n 42 \n'), '00:00:01.000 --> 00:00:02.000\n42\n')
})

test('cues may overlap, and are sorted', () => {
  const text = '00:00:05,000 --> 00:00:09,000\nLate\n\n00:00:01,000 --> 00:00:06,000\nEarly'
  assert.equal(cuesOf(text), '00:00:01.000 --> 00:00:06.000\nEarly\n\n00:00:05.000 --> 00:00:09.000\nLate\n')
})

test('cues that could never be seen are left out', () => {
  const text =
    '00:00:01,000 --> 00:00:01,000\nNever\n\n00:00:02,000 --> 00:00:03,000\n \n\n00:00:04,000 --> 00:00:05,000\nSeen'
  assert.equal(cuesOf(text), '00:00:04.000 --> 00:00:05.000\nSeen\n')
})

test('impossible times are refused with their line', () => {
  refused('1\n-00:00:01,000 --> 00:00:02,000\nA', /^Line 2: the times "-00:00:01,000 --> .*cannot be read/)
  refused('00:00:01,000 --> -00:00:02,000\nA', /^Line 1: /)
  refused('\n\n00:00:02,000 --> 00:00:01,000\nA', /^Line 3: the subtitle ends before it begins/)
  refused('00:61:00,000 --> 00:62:00,000\nA', /^Line 1: minutes and seconds go up to 59/)
  refused('100:00:00,000 --> 100:00:01,000\nA', /^Line 1: times go up to 99 hours/)
  refused('WEBVTT\n\n00:00:01.000 --> 00:00:xx\nA', /^Line 3: the times/)
  refused('99999999:00:00,000 --> 1:00:00,000\nA', /no subtitles|cannot be read/)
})

test('an arrow in a text is text', () => {
  assert.equal(
    cuesOf('00:00:01,000 --> 00:00:02,000\nleft --> right\n5 --> 6'),
    '00:00:01.000 --> 00:00:02.000\nleft --&gt; right\n5 --&gt; 6\n',
  )
})

const textOf = (text: string, heading = '') => {
  const cue = `${heading}00:00:01.000 --> 00:00:02.000\n${text}`
  return cuesOf(cue).split('\n').slice(1, -1).join('\n')
}

test("only WebVTT's styling tags remain tags", () => {
  const cases: readonly (readonly [string, string])[] = [
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['<b onclick="x">bold</b>', '<b>bold</b>'],
    ['<B>loud</B> <strong>too</strong>', '<b>loud</b> <b>too</b>'],
    ['<i>open', '<i>open</i>'],
    ['<b><i>crossed</b></i>', '<b><i>crossed</i></b>'],
    ['no </b> start', 'no  start'],
    ['<font color="#ff0000" face=x>red</font>', 'red'],
    ['one<br>two<BR/>three', 'one\ntwo\nthree'],
    ['<c.yellow.bg_blue>x</c>', '<c.yellow.bg_blue>x</c>'],
    ['<v.loud Fred & <b>Ann>Hi', '&lt;v.loud Fred &amp; <b>Ann&gt;Hi</b>'],
    ['<v Fred & Ann>Hi', '<v Fred &amp; Ann>Hi</v>'],
    ['<lang en-GB>colour</lang><lang "><b>x', '<lang en-GB>colour</lang><lang><b>x</b></lang>'],
    ['<ruby>漢<rt>kan</rt></ruby> <rt>x</rt>', '<ruby>漢<rt>kan</rt></ruby> x'],
    ['la <00:00:01.500>la', 'la la'],
    ['1 < 2 & 3 > 2 <3', '1 &lt; 2 &amp; 3 &gt; 2 &lt;3'],
    ['&lt;b&gt; &amp; &#60;i&#62; &nbsp;x &bogus; &#0;', '&lt;b&gt; &amp; &lt;i&gt; \u00a0x &amp;bogus;'],
    ['a\u0007b\u0085c', 'abc'],
    ['<i/>x<svg/onload=1>', 'x&lt;svg/onload=1&gt;'],
  ]
  for (const [given, clean] of cases) {
    assert.equal(textOf(given), clean, given)
    assert.equal(textOf(given, 'WEBVTT\n\n'), clean, given)
    assert.equal(textOf(clean, 'WEBVTT\n\n'), clean, `${given}, twice`)
  }
})

test('positions on the screen are kept if they refer to nothing else', () => {
  const at = (settings: string) =>
    cuesOf(`WEBVTT\n\n00:00:01.000 --> 00:00:02.000 ${settings}\nx`).split('\n')[0]?.slice(30)
  assert.equal(at('line:0 position:20%,line-left align:start'), 'line:0 position:20%,line-left align:start')
  assert.equal(at('line:84.5%,end size:50% vertical:rl'), 'line:84.5%,end size:50% vertical:rl')
  assert.equal(at('region:r1 line:x position:9999% url(x)'), '')
  const top = cuesOf('00:00:01,000 --> 00:00:02,000 X1:1 X2:2\n{\\an8}{\\fs20}Top')
  assert.equal(top, '00:00:01.000 --> 00:00:02.000 line:0\nTop\n')
})

test('comments, styles and regions are left out, names of cues are kept', () => {
  const text = `WEBVTT - Title
Kind: captions
X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000

STYLE
::cue { background: url(https://tracker.test/x.png) }

REGION
id:r1

NOTE
not for viewers

intro
00:01.000 --> 00:02.000 region:r1
Hello

NOTE one more

STYLE
::cue(b) { color: red }

2
00:03.000 --> 00:04.000
World
3
00:05.000 --> 00:06.000
Again`
  assert.equal(
    cuesOf(text),
    'intro\n00:00:01.000 --> 00:00:02.000\nHello\n\n2\n00:00:03.000 --> 00:00:04.000\nWorld\n\n00:00:05.000 --> 00:00:06.000\nAgain\n',
  )
})

test('other kinds of files are refused', () => {
  refused('', /empty/)
  refused('Just a note.', /There are no subtitles in the file/)
  refused('[Script Info]\nDialogue: 0,0:00:01.00,0:00:02.00,x', /There are no subtitles/)
  refused('WEBVTT\n', /There are no subtitles/)
  refused('WEBVTTX\n\n1', /There are no subtitles/)
  refused(`${srt}\0`, /NUL/)
  refused(Buffer.from(srt, 'utf16le'), /NUL/)
  refused(Buffer.from([0xef, 0xbb, 0xbf, 0xff]), /declares itself utf-8, but is not/)
  refused(Buffer.from([0xff, 0xfe, 0x00, 0xd8]), /declares itself utf-16le, but is not/)
  refused(srt, /does not begin with WEBVTT/, 'vtt')
  refused(vtt, /is WebVTT/, 'srt')
})

test('limits hold', () => {
  refused('x'.repeat(700_001), /700,001 bytes; a subtitle has at most 700,000/)
  refused(`00:00:01,000 --> 00:00:02,000\n${'x'.repeat(6000)}`, /^Line 1: .*5,000 characters/)
  assert.throws(() => readSubtitles(Buffer.from(srt), { ...limits, cues: 1 }), /2 subtitles; 1 are the most/)
})

test('hostile texts are quickly read or refused', () => {
  const hostile = ['<', '<b', '<v ', '-->', ' ', '&', '&#', '{\\', '1:', '<a.b', '\n', '00:00:01,000 -->']
  for (const piece of hostile)
    for (const form of ['', 'WEBVTT\n\n', '00:00:01,000 --> 00:00:02,000\n'])
      try {
        read(form + piece.repeat(600_000 / piece.length))
      } catch (error) {
        assert.ok(error instanceof SubtitleRefused, String(error))
      }
})
