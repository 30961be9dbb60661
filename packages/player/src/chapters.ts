/** A part of a film, in seconds. */
export interface Chapter {
  readonly start: number
  /** Where it ends, if that is before the next one begins. */
  readonly end?: number | null
  readonly title: string
}

/** A chapter with a known end. */
export interface WholeChapter extends Chapter {
  readonly end: number
}

const isChapter = (value: unknown): value is Chapter =>
  typeof value === 'object' &&
  value !== null &&
  Number.isFinite((value as Chapter).start) &&
  typeof (value as Chapter).title === 'string'

/** Parses the chapters in an attribute. Returns none if it is invalid. */
export function readChapters(text: string | null): readonly Chapter[] {
  try {
    const value: unknown = JSON.parse(text || '[]')
    return Array.isArray(value) ? value.filter(isChapter) : []
  } catch {
    return []
  }
}

/** Sorts the chapters and sets their ends: at the given end, but no later than the next chapter or the film's end. */
export function fitChapters(chapters: readonly Chapter[], duration: number): readonly WholeChapter[] {
  const inFilm = chapters
    .filter(({ start }) => start >= 0 && start < duration)
    .sort((a, b) => a.start - b.start)
  return inFilm
    .map((chapter, index) => {
      const latest = inFilm[index + 1]?.start ?? duration
      return { ...chapter, end: Math.min(chapter.end ?? latest, latest) }
    })
    .filter(({ start, end }) => end > start)
}

export const chapterAt = (chapters: readonly WholeChapter[], seconds: number): WholeChapter | undefined =>
  chapters.find(({ start, end }) => start <= seconds && seconds < end)
