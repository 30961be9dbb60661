/** A line of a subtitle, with its times in milliseconds. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly text: string
}

const timing = /^(\d+):(\d{2}):(\d{2})\.(\d{3}) --> (\d+):(\d{2}):(\d{2})\.(\d{3})/

const milliseconds = (parts: readonly string[]) => {
  const [hours = 0, minutes = 0, seconds = 0, rest = 0] = parts.map(Number)
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest
}

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': ' ',
  '&lrm;': '',
  '&rlm;': '',
}

/** The text of a cue, without formatting. */
const wordsOf = (text: string) =>
  text.replace(/<[^>]*>/g, '').replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (name) => characters[name] ?? name)

/** Parses WebVTT as the server writes it. */
export const cuesOf = (vtt: string): readonly Cue[] =>
  vtt.split(/\n{2,}/).flatMap((block) => {
    const lines = block.split('\n')
    const index = lines.findIndex((line) => timing.test(line))
    const [, ...parts] = timing.exec(lines[index] ?? '') ?? []
    if (parts.length < 8) return []
    const text = wordsOf(lines.slice(index + 1).join('\n')).trim()
    return [{ start: milliseconds(parts.slice(0, 4)), end: milliseconds(parts.slice(4)), text }]
  })
