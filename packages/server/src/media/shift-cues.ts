const timing = /^(\d{2,}):(\d{2}):(\d{2})\.(\d{3}) --> (\d{2,}):(\d{2}):(\d{2})\.(\d{3})/gm

const milliseconds = (parts: readonly string[]) => {
  const [hours = 0, minutes = 0, seconds = 0, rest = 0] = parts.map(Number)
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest
}

const latest = 100 * 3_600_000 - 1

/** A position in WebVTT syntax. */
export function clock(at: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = String(at % 1000).padStart(3, '0')
  return `${two(at / 3_600_000)}:${two((at / 60_000) % 60)}:${two((at / 1000) % 60)}.${rest}`
}

/**
 * The range in milliseconds by which the cues of clean WebVTT may be moved: none starts before the film, and
 * none after 99 hours.
 */
export function shiftRange(vtt: string): { readonly least: number; readonly most: number } {
  const times = [...vtt.matchAll(timing)].map(([, ...parts]) => ({
    start: milliseconds(parts.slice(0, 4)),
    end: milliseconds(parts.slice(4, 8)),
  }))
  return {
    least: -Math.min(...times.map(({ start }) => start)),
    most: latest - Math.max(...times.map(({ end }) => end)),
  }
}

/**
 * Clean WebVTT with its cues moved. Texts contain no line that looks like timings: their arrows are escaped.
 */
export const shiftCues = (vtt: string, by: number): string =>
  vtt.replace(timing, (_, ...parts: string[]) => {
    const at = (from: number) => clock(milliseconds(parts.slice(from, from + 4)) + by)
    return `${at(0)} --> ${at(4)}`
  })
