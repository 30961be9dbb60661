import { limits } from '@zoetrope/contract'
import { useMemo, useRef, useState } from 'react'
import type { Video } from '../../data/records.js'
import { strings } from './strings.js'

/** A chapter being edited. It has no id until it is saved. */
export interface Chapter {
  readonly key: string
  readonly id?: string
  /** Milliseconds. */
  readonly start: number
  readonly end: number | null
  readonly description: string
}

const chaptersOf = (segments: Video['segments']): readonly Chapter[] =>
  segments.map(({ _id, start, end, description }) => ({
    key: _id ?? '',
    id: _id ?? '',
    start: start ?? 0,
    end: end ?? null,
    description: description ?? '',
  }))

const same = (a: Chapter, b: Chapter) =>
  a.start === b.start && a.end === b.end && a.description === b.description

const inSameSecond = (a: Chapter, b: Chapter) => Math.floor(a.start / 1000) === Math.floor(b.start / 1000)

/** The changes to send when the chapters were edited. */
function changesBetween(before: readonly Chapter[], after: readonly Chapter[]) {
  const gone = before.filter(({ key }) => !after.some((chapter) => chapter.key === key))
  const changed = after.filter((chapter) => {
    const old = before.find(({ key }) => key === chapter.key)
    return !old || !same(old, chapter)
  })
  return [
    ...gone.map(({ id }) => ({ id, _destroy: true })),
    ...changed.map(({ key: _, ...fields }) => fields),
  ]
}

/** The chapters of a video while they are edited. */
export function useChapters(video: Video) {
  // What the user began with: others may save chapters meanwhile, and the page shows them.
  const [base, setBase] = useState<Video['segments']>()
  const began = base ?? video.segments
  const before = useMemo(() => chaptersOf(began), [began])
  const [draft, setDraft] = useState<readonly Chapter[]>()
  const made = useRef(0)
  const length = video.precise_duration === null ? undefined : Math.ceil(video.precise_duration * 1000)
  const chapters = draft ?? before
  const changes = changesBetween(before, chapters)
  const clamp = (start: number) => Math.max(0, Math.min(start, length === undefined ? start : length - 1))
  const put = (next: readonly Chapter[]) => {
    setBase(began)
    setDraft([...next].sort((a, b) => a.start - b.start))
  }
  return {
    chapters,
    changes,
    base: began,
    length,
    isDirty: changes.length > 0,
    isFull: chapters.length >= limits.segments.value,
    add(at: number): string {
      made.current += 1
      const key = `new ${made.current}`
      put([...chapters, { key, start: clamp(at), end: null, description: '' }])
      return key
    },
    change(key: string, change: Partial<Chapter>): void {
      put(
        chapters.map((chapter) => (chapter.key === key ? fitted({ ...chapter, ...change }, clamp) : chapter)),
      )
    },
    remove: (key: string) => put(chapters.filter((chapter) => chapter.key !== key)),
    reset() {
      setBase(undefined)
      setDraft(undefined)
    },
    problemOf(chapter: Chapter): string | undefined {
      if (chapter.description.trim() === '') return strings.chapters.nameless
      const other = chapters.find((each) => each.key !== chapter.key && inSameSecond(each, chapter))
      return other && strings.chapters.sameSecond(other.description || strings.chapters.unnamed)
    },
  }
}

/** Clamps a chapter to the film, and drops an end that is no longer after the start. */
function fitted(chapter: Chapter, clamp: (start: number) => number): Chapter {
  const start = clamp(chapter.start)
  return { ...chapter, start, end: chapter.end !== null && chapter.end <= start ? null : chapter.end }
}
