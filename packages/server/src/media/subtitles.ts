import { cleanCueText } from './cue-text.js'
import { clock } from './shift-cues.js'
import { decodeText, SubtitleRefused } from './subtitle-bytes.js'

export type SubtitleForm = 'srt' | 'vtt'

export interface Subtitles {
  readonly form: SubtitleForm
  /** Clean WebVTT. */
  readonly vtt: string
  readonly cues: number
}

export interface SubtitleLimits {
  readonly bytes: number
  readonly cues: number
}

interface Cue {
  readonly id: string
  /** Milliseconds. */
  readonly start: number
  readonly end: number
  readonly settings: string
  readonly text: string
}

const longestText = 5000
const longestId = 100
const mostHours = 99

/** Reads an uploaded file into WebVTT that is safe to show. The form is detected unless it is given. */
export function readSubtitles(bytes: Uint8Array, limits: SubtitleLimits, given?: SubtitleForm): Subtitles {
  if (bytes.length === 0) throw new SubtitleRefused('The file is empty.')
  if (bytes.length > limits.bytes)
    throw new SubtitleRefused(
      `The file has ${inWords(bytes.length)} bytes; a subtitle has at most ${inWords(limits.bytes)}.`,
    )
  const lines = decodeText(bytes).split(/\r\n|\n|\r/)
  const form = formOf(lines, given)
  const cues = readCues(lines, form, limits.cues)
  if (cues.length === 0)
    throw new SubtitleRefused(
      'There are no subtitles in the file. Send SubRip (srt) or WebVTT (vtt), with lines such as 00:00:01,000 --> 00:00:02,500.',
    )
  // WebVTT requires order; the sort is stable for equal starts.
  cues.sort((a, b) => a.start - b.start)
  return { form, vtt: ['WEBVTT\n', ...cues.map(written)].join('\n'), cues: cues.length }
}

const inWords = (count: number) => count.toLocaleString('en')

function formOf(lines: readonly string[], given: SubtitleForm | undefined): SubtitleForm {
  const form = /^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? '') ? 'vtt' : 'srt'
  if (given === 'vtt' && form === 'srt')
    throw new SubtitleRefused('The file does not begin with WEBVTT, so it is not WebVTT.')
  if (given === 'srt' && form === 'vtt') throw new SubtitleRefused('The file is WebVTT (vtt), not SubRip.')
  return form
}

const time = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?`
const timing = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}(?:\s+(.*))?$`)
/** Meant as timings, and not text with an arrow in it. */
const likeTiming = /^\s*[-+]?\d{1,6}\s*:[\d:.,\s+-]{0,40}-->/

/** Every line with timings begins a cue, with or without a blank line before it. */
function readCues(lines: readonly string[], form: SubtitleForm, most: number): Cue[] {
  const starts = lines.flatMap((line, index) =>
    line.includes('-->') && isTiming(line, index) ? [index] : [],
  )
  if (starts.length > most)
    throw new SubtitleRefused(
      `The file has ${inWords(starts.length)} subtitles; ${inWords(most)} are the most.`,
    )
  return starts.flatMap((start, number) => {
    const next = starts[number + 1] ?? lines.length
    const cue = form === 'vtt' ? vttCue(lines, start, next) : srtCue(lines, start, next)
    return cue.text === '' || cue.start === cue.end ? [] : [cue]
  })
}

function isTiming(line: string, index: number): boolean {
  if (timing.test(line)) return true
  if (!likeTiming.test(line)) return false
  throw at(index, `the times ${JSON.stringify(line.trim().slice(0, 60))} cannot be read.`)
}

const at = (index: number, why: string) => new SubtitleRefused(`Line ${index + 1}: ${why}`)

function readTiming(line: string, index: number): { start: number; end: number; rest: string } {
  const [, ...parts] = timing.exec(line) ?? []
  const start = milliseconds(parts.slice(0, 4), index)
  const end = milliseconds(parts.slice(4, 8), index)
  if (end < start) throw at(index, 'the subtitle ends before it begins.')
  return { start, end, rest: parts[8] ?? '' }
}

function milliseconds(parts: readonly (string | undefined)[], index: number): number {
  const [hours = 0, minutes = 0, seconds = 0, rest = 0] = parts.map((part) => Number(part ?? 0))
  if (minutes > 59 || seconds > 59) throw at(index, 'minutes and seconds go up to 59.')
  if (hours > mostHours) throw at(index, `times go up to ${mostHours} hours.`)
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest
}

function joinedText(lines: readonly string[], start: number): string {
  const text = lines.join('\n')
  if (text.length > longestText)
    throw at(start, `the subtitle is longer than ${inWords(longestText)} characters.`)
  return text
}

/** Up to the next cue: some programs leave blank lines in a text, others omit those between cues. */
function srtCue(lines: readonly string[], index: number, next: number): Cue {
  const body = lines.slice(index + 1, next)
  while (body.at(-1)?.trim() === '') body.pop()
  // The number of the next cue.
  if (next < lines.length && /^\s*\d{1,9}\s*$/.test(body.at(-1) ?? '') && isNumbered(lines, next)) body.pop()
  const text = joinedText(body, index)
  const { start, end } = readTiming(lines[index] ?? '', index)
  return { id: '', start, end, settings: placeOf(text), text: cleanCueText(text.replace(override, '')) }
}

/**
 * A number directly before the timings belongs to them; alone after a text it may be part of the dialogue.
 */
const isNumbered = (lines: readonly string[], next: number) => lines[next - 1]?.trim() !== ''

const override = /\{\\[^{}]{0,200}\}/g
/** The position on the screen, as on the numeric keypad: 7 to 9 are at the top. */
export const places: Readonly<Record<string, string>> = {
  ...{
    1: 'align:left',
    3: 'align:right',
    4: 'line:50% align:left',
    5: 'line:50%',
    6: 'line:50% align:right',
  },
  ...{ 7: 'line:0 align:left', 8: 'line:0', 9: 'line:0 align:right' },
}
const placeOf = (text: string) => places[/\{\\an([1-9])\}/.exec(text)?.[1] ?? ''] ?? ''

/**
 * A line before the timings may name the cue; a blank line ends it. Comments, styles and regions are left
 * out.
 */
function vttCue(lines: readonly string[], index: number, next: number): Cue {
  const after = lines.slice(index + 1, next)
  const empty = after.findIndex((line) => line.trim() === '')
  const body = empty >= 0 ? after.slice(0, empty) : next < lines.length ? withoutNumber(after) : after
  const { start, end, rest } = readTiming(lines[index] ?? '', index)
  const text = cleanCueText(joinedText(body, index))
  return { id: idBefore(lines, index), start, end, settings: cleanSettings(rest), text }
}

const withoutNumber = (lines: readonly string[]) =>
  /^\s*\d{1,9}\s*$/.test(lines.at(-1) ?? '') ? lines.slice(0, -1) : lines

// biome-ignore lint/suspicious/noControlCharactersInRegex: these have no place in a name
const control = /[\u0000-\u001f\u007f-\u009f]/g

function idBefore(lines: readonly string[], index: number): string {
  const line = (lines[index - 1] ?? '').replace(control, ' ').trim()
  const standsAlone = index < 2 || (lines[index - 2] ?? '').trim() === ''
  const isName = standsAlone && line.length <= longestId && !line.includes('-->')
  return isName && !/^(NOTE|STYLE|REGION|WEBVTT)\b/.test(line) ? line : ''
}

const settings: readonly RegExp[] = [
  /^vertical:(rl|lr)$/,
  /^line:(-?\d{1,3}|\d{1,3}(\.\d{1,3})?%)(,(start|center|end))?$/,
  /^position:\d{1,3}(\.\d{1,3})?%(,(line-left|center|line-right))?$/,
  /^size:\d{1,3}(\.\d{1,3})?%$/,
  /^align:(start|center|end|left|right)$/,
]

/** The position settings of a cue that refer to nothing else. */
const cleanSettings = (given: string) =>
  given
    .split(/\s+/)
    .filter((word) => settings.some((setting) => setting.test(word)))
    .join(' ')

function written({ id, start, end, settings: place, text }: Cue): string {
  const times = `${clock(start)} --> ${clock(end)}${place && ` ${place}`}`
  return `${id && `${id}\n`}${times}\n${text}\n`
}
