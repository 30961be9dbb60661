import { wordsOf } from '../video/subtitles/cues.js'
import type { Line, Lines } from './line-edits.js'

/** The first two keep the lines from being saved as they are. */
export type LineProblem = 'backwards' | 'empty' | 'overlap' | 'fast'

/** Characters per second beyond which most people cannot read a line. */
export const fastest = 25

/** Counting again for every key that is pressed would be slow with thousands of lines. */
const lengths = new WeakMap<Line, number>()

function lengthOf(line: Line): number {
  const known = lengths.get(line) ?? wordsOf(line.text).replaceAll('\n', '').trim().length
  lengths.set(line, known)
  return known
}

export function problemsOf(line: Line, previous: Line | undefined): readonly LineProblem[] {
  const problems: LineProblem[] = []
  const length = lengthOf(line)
  if (line.end <= line.start) problems.push('backwards')
  if (length === 0) problems.push('empty')
  if (previous && line.start < previous.end) problems.push('overlap')
  if (line.end > line.start && (length * 1000) / (line.end - line.start) > fastest) problems.push('fast')
  return problems
}

/** The problems of lines, by key. Lines without one are not in the map. */
export const allProblems = (lines: Lines): ReadonlyMap<number, readonly LineProblem[]> =>
  new Map(
    lines
      .map((line, index) => [line.key, problemsOf(line, lines[index - 1])] as const)
      .filter(([, problems]) => problems.length > 0),
  )
