/** A file of subtitles, from which a transcript can be made. */
export interface SubtitleFile {
  readonly file: string
  readonly label: string
  readonly language: string
}

/** A line of a transcript, in seconds. */
export interface Line {
  readonly start: number
  readonly text: string
}

const isSubtitleFile = (value: unknown): value is SubtitleFile => {
  const { file, label, language } = (value ?? {}) as Partial<Record<string, unknown>>
  return [file, label, language].every((text) => typeof text === 'string')
}

/** Parses the subtitles in an attribute. Returns none if it is invalid. */
export function readSubtitles(text: string | null): readonly SubtitleFile[] {
  try {
    const value: unknown = JSON.parse(text || '[]')
    return Array.isArray(value) ? value.filter(isSubtitleFile) : []
  } catch {
    return []
  }
}

/** The line that is spoken at this second, or was spoken last; -1 before the first. */
export function lineAt(lines: readonly Line[], seconds: number): number {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.start ?? 0) <= seconds) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** A piece of a line: part of a match, or the text between matches. */
export interface Piece {
  readonly text: string
  readonly isMatch: boolean
}

/** Splits a line at the matches of what is searched for; undefined if there are none. */
export function findIn(text: string, searched: string): readonly Piece[] | undefined {
  const [where, what] = [text.toLowerCase(), searched.trim().toLowerCase()]
  if (what === '') return [{ text, isMatch: false }]
  // Lower case can be longer than upper case, as in Turkish. Then the positions would be wrong.
  if (where.length !== text.length) return where.includes(what) ? [{ text, isMatch: true }] : undefined
  const pieces: Piece[] = []
  let from = 0
  for (let at = where.indexOf(what); at !== -1; at = where.indexOf(what, from)) {
    if (at > from) pieces.push({ text: text.slice(from, at), isMatch: false })
    pieces.push({ text: text.slice(at, at + what.length), isMatch: true })
    from = at + what.length
  }
  if (from === 0) return undefined
  if (from < text.length) pieces.push({ text: text.slice(from), isMatch: false })
  return pieces
}

/** Lets the browser fetch and parse a WebVTT file. */
export async function loadLines(file: string): Promise<readonly Line[]> {
  const media = document.createElement('video')
  const element = document.createElement('track')
  media.crossOrigin = 'anonymous'
  media.append(element)
  element.src = file
  // The browser loads a track only if it is not disabled.
  element.track.mode = 'hidden'
  await new Promise((resolve, reject) => {
    element.addEventListener('load', resolve)
    element.addEventListener('error', () => reject(new Error('The subtitles could not be loaded.')))
  })
  return [...(element.track.cues ?? [])].map((cue) => ({
    start: cue.startTime,
    text: ((cue as VTTCue).getCueAsHTML().textContent ?? '').replace(/\s+/g, ' ').trim(),
  }))
}
