import { finderOf, wordsIn } from './highlight.js'

/** A line of a subtitle: its text, and its time in seconds. */
export interface SpokenLine {
  readonly time: number
  readonly text: string
}

const timing = /^(\d{2,}):(\d{2}):(\d{2}\.\d{3}) --> /m
const names: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

const plain = (text: string) =>
  text
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt);/g, (name) => names[name] ?? name)
    .replace(/\s+/g, ' ')
    .trim()

/** The lines of clean WebVTT that have the most of the words, in the order of the film. */
export function spokenLines(vtt: string, words: readonly string[], most: number): SpokenLine[] {
  const finder = finderOf(words)
  const all = new Set(words).size
  const found: { readonly line: SpokenLine; readonly score: number }[] = []
  for (const cue of vtt.split('\n\n')) {
    // Most cues have none of the words, and are not read any further.
    if (cue.search(finder) < 0) continue
    const line = readCue(cue)
    const score = line ? new Set(wordsIn((line.text.match(finder) ?? []).join(' '))).size : 0
    if (line && score > 0) found.push({ line, score })
    if (found.filter((each) => each.score >= all).length === most) break
  }
  return found
    .sort((one, other) => other.score - one.score || one.line.time - other.line.time)
    .slice(0, most)
    .map(({ line }) => line)
    .sort((one, other) => one.time - other.time)
}

function readCue(cue: string): SpokenLine | undefined {
  const found = timing.exec(cue)
  if (!found) return undefined
  const [, hours, minutes, seconds] = found
  const end = cue.indexOf('\n', found.index)
  const time = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return { time: Math.round(time * 1000) / 1000, text: end < 0 ? '' : plain(cue.slice(end)) }
}
