/** A moment of a film at which there may be advertisements. */
export interface AdBreak {
  /** Milliseconds from the beginning. */
  readonly offset: number
  /** Where to ask for them. */
  readonly tag: string
  readonly [more: string]: unknown
}

const isBreak = (value: unknown): value is AdBreak =>
  typeof value === 'object' &&
  value !== null &&
  Number.isFinite((value as AdBreak).offset) &&
  typeof (value as AdBreak).tag === 'string'

/** The breaks that an attribute lists, in their order; none where it cannot be read. */
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
    /** The break that the film has come to at this second, if it is a new one. */
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
/** For pages that may keep nothing: as long as they are open. */
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

/** Counts a play under this name, in this browser only, and returns whether it has advertisements. */
export function isDue(every: number, name: string, store: Store = ownStore): boolean {
  if (!(every > 1)) return true
  const { [name]: before, ...others } = countsIn(store)
  const plays = (Number.isFinite(before) ? Number(before) : 0) + 1
  const kept = [...Object.entries(others).slice(-(mostCounted - 1)), [name, plays % every]]
  try {
    store.setItem(key, JSON.stringify(Object.fromEntries(kept)))
  } catch {
    // A full storage only costs the count.
  }
  return plays % every === 0
}

/** Calls back for each break that playback reaches, for the first one before playback starts. Waits if the callback asks for it. */
export function announceBreaks(
  video: HTMLVideoElement,
  schedule: readonly AdBreak[],
  hasAny: () => boolean,
  tell: (due: AdBreak) => 'wait' | 'go on',
  signal: AbortSignal,
): void {
  if (schedule.length === 0) return
  const breaks = createBreaks(schedule)
  /** Asked once for each play. */
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
