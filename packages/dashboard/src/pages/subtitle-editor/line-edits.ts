/** What the editor does to lines. All functions return new lines and leave the given ones as they are. */
import { type Cue, wordsOf } from '../video/subtitles/cues.js'

export interface Line extends Cue {
  /** Stays the same while the line is edited. */
  readonly key: number
}

export type Lines = readonly Line[]

/** The last millisecond that the server accepts. */
const latest = 100 * 3_600_000 - 1
const usualLength = 2000
const shortestLength = 500

const clamp = (at: number, least: number, most: number) => Math.max(least, Math.min(at, most))

export const changeLine = (lines: Lines, key: number, change: Partial<Cue>): Lines =>
  lines.map((line) => (line.key === key ? { ...line, ...change } : line))

export const removeLines = (lines: Lines, keys: ReadonlySet<number>): Lines =>
  lines.filter(({ key }) => !keys.has(key))

/** Adds an empty line after another one, or at the beginning. It starts at `at`, or else where the other one ends. */
export function addLine(lines: Lines, after: number | undefined, key: number, at?: number): Lines {
  const index = lines.findIndex((line) => line.key === after)
  const start = clamp(at ?? lines[index]?.end ?? 0, 0, latest - usualLength)
  const next = lines[index + 1]?.start ?? latest
  const end = next - start >= shortestLength ? Math.min(start + usualLength, next) : start + usualLength
  const line = { key, id: '', settings: '', start, end, text: '' }
  return [...lines.slice(0, index + 1), line, ...lines.slice(index + 1)]
}

/** The key of the line after which a line at a time belongs. */
export const lineBefore = (lines: Lines, at: number): number | undefined =>
  lines.findLast(({ start }) => start <= at)?.key

const tag = /<(\/?)([a-zA-Z]+)[^<>]*>/g

/** The tags that are open at the end of a text, outermost first. */
function openTags(text: string): readonly { readonly name: string; readonly whole: string }[] {
  const open: { name: string; whole: string }[] = []
  for (const [whole, slash, name = ''] of text.matchAll(tag)) {
    if (!slash) open.push({ name, whole })
    else
      open.splice(
        Math.max(
          0,
          open.findLastIndex((each) => each.name === name),
        ),
      )
  }
  return open
}

/** Cuts a text in two. A cut inside a tag moves before it, and open tags are closed and opened again. */
export function splitText(text: string, cursor: number): readonly [string, string] {
  const inTag = /<\/?[a-zA-Z][^<>]*$/.exec(text.slice(0, cursor))
  const at = inTag && /^[^<>]*>/.test(text.slice(cursor)) ? inTag.index : cursor
  const open = openTags(text.slice(0, at))
  const closing = open.map(({ name }) => `</${name}>`).reverse()
  const opening = open.map(({ whole }) => whole)
  return [text.slice(0, at).trimEnd() + closing.join(''), opening.join('') + text.slice(at).trimStart()]
}

/**
 * Splits a line at the cursor. The second part starts at the playhead if that is inside the line, or else where the words
 * before the cursor take their share of the time.
 */
export function splitLine(
  lines: Lines,
  index: number,
  cursor: number,
  key: number,
  playhead?: number,
): Lines {
  const line = lines[index]
  if (!line || line.end - line.start < 2) return lines
  const [head, tail] = splitText(line.text, cursor)
  const isInside = playhead !== undefined && playhead > line.start && playhead < line.end
  const [before, words] = [wordsOf(head).length, wordsOf(line.text).length]
  const share = words === 0 ? 0.5 : before / words
  const middle = Math.round(line.start + (line.end - line.start) * share)
  const at = isInside ? playhead : clamp(middle, line.start + 1, line.end - 1)
  const parts = [
    { ...line, end: at, text: head },
    { ...line, id: '', key, start: at, text: tail },
  ]
  return [...lines.slice(0, index), ...parts, ...lines.slice(index + 1)]
}

/** Joins a line with the next one. */
export function joinLines(lines: Lines, index: number): Lines {
  const [line, next] = [lines[index], lines[index + 1]]
  if (!line || !next) return lines
  const text = [line.text, next.text].filter((each) => each !== '').join('\n')
  const joined = { ...line, end: Math.max(line.end, next.end), text }
  return [...lines.slice(0, index), joined, ...lines.slice(index + 2)]
}

/** How far lines can be shifted: none may start before the film. */
export function shiftLimits(lines: Lines): { readonly least: number; readonly most: number } {
  const least = -lines.reduce((low, { start }) => Math.min(low, start), latest)
  const most = latest - lines.reduce((high, { end }) => Math.max(high, end), 0)
  return { least, most }
}

/** Shifts some lines in time, as far as they go. */
export function shiftLines(lines: Lines, by: number, isIncluded: (line: Line) => boolean): Lines {
  const { least, most } = shiftLimits(lines.filter(isIncluded))
  const step = clamp(Math.round(by), least, most)
  return lines.map((line) =>
    isIncluded(line) ? { ...line, start: line.start + step, end: line.end + step } : line,
  )
}

/** Moves one time of a line, or the whole line. */
export function nudge(line: Line, by: number, what: 'start' | 'end' | 'both'): Partial<Cue> {
  const step =
    what === 'end' ? clamp(by, -line.end, latest - line.end) : clamp(by, -line.start, latest - line.end)
  if (what === 'start') return { start: line.start + step }
  return what === 'end' ? { end: line.end + step } : { start: line.start + step, end: line.end + step }
}

/** The lines in the order of their times, as the server stores them. */
export const sortLines = (lines: Lines): Lines => [...lines].sort((a, b) => a.start - b.start)
