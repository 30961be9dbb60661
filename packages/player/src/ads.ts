/** A position in a film at which ads may be shown. */
export interface AdBreak {
  /** Milliseconds from the start of the film. */
  readonly offset: number
  /** The URL of the ad server. */
  readonly tag: string
  readonly [more: string]: unknown
}

const isBreak = (value: unknown): value is AdBreak =>
  typeof value === 'object' &&
  value !== null &&
  Number.isFinite((value as AdBreak).offset) &&
  typeof (value as AdBreak).tag === 'string'

/** Parses the breaks in an attribute, in order. Returns none if it is invalid. */
export function readSchedule(text: string | null): readonly AdBreak[] {
  try {
    const value: unknown = JSON.parse(text || '[]')
    return Array.isArray(value) ? value.filter(isBreak).sort((a, b) => a.offset - b.offset) : []
  } catch {
    return []
  }
}

/** Finds the break that playback has reached. If several are skipped it is the last of them, and none fires twice. */
export function createBreaks(schedule: readonly AdBreak[]) {
  let over = 0
  return {
    /** Returns the break that playback has reached at this second, if it is a new one. */
    at(seconds: number): AdBreak | undefined {
      const passed = schedule.filter(({ offset }) => offset <= seconds * 1000).length
      if (passed <= over) return undefined
      over = passed
      return schedule[passed - 1]
    },
    again(): void {
      over = 0
    },
  }
}

type Store = Pick<Storage, 'getItem' | 'setItem'>
const key = 'zoetrope-plays'
const mostCounted = 100
let counted = '{}'
/** For pages without storage: lasts as long as the page is open. */
const ownStore: Store = {
  getItem: () => counted,
  setItem(_name, value) {
    counted = value
  },
}

function countsIn(store: Store): Readonly<Record<string, number>> {
  try {
    const found: unknown = JSON.parse(store.getItem(key) ?? '{}')
    return typeof found === 'object' && found !== null ? (found as Record<string, number>) : {}
  } catch {
    return {}
  }
}

/** Counts a play under this name, in this browser only. Returns whether it has ads. */
export function isDue(every: number, name: string, store: Store = ownStore): boolean {
  if (!(every > 1)) return true
  const { [name]: before, ...others } = countsIn(store)
  const plays = (Number.isFinite(before) ? Number(before) : 0) + 1
  const kept = [...Object.entries(others).slice(-(mostCounted - 1)), [name, plays % every]]
  try {
    store.setItem(key, JSON.stringify(Object.fromEntries(kept)))
  } catch {
    // If the storage is full, only the count is lost.
  }
  return plays % every === 0
}

/**
 * Calls `tell` for each break that playback reaches, and for the first one before playback starts. Pauses if `tell`
 * returns `wait`.
 */
export function announceBreaks(
  video: HTMLVideoElement,
  schedule: readonly AdBreak[],
  hasAny: () => boolean,
  tell: (due: AdBreak) => 'wait' | 'go on',
  signal: AbortSignal,
): void {
  if (schedule.length === 0) return
  const breaks = createBreaks(schedule)
  /** Determined once per play. */
  let isWith: boolean | undefined
  const look = () => {
    isWith ??= hasAny()
    if (!isWith) return
    const due = breaks.at(video.currentTime)
    if (due && tell(due) === 'wait') video.pause()
  }
  video.addEventListener('play', look, { signal })
  video.addEventListener('timeupdate', () => !video.paused && look(), { signal })
  const end = () => {
    breaks.again()
    isWith = undefined
  }
  video.addEventListener('ended', end, { signal })
}
