/** Whether a video is active, and when a schedule changes that. */
export interface Switches {
  readonly active: boolean
  readonly enable_at: Date | null
  readonly disable_at: Date | null
}

export interface Plan {
  readonly active: boolean
  /** The next moment at which the schedule changes `active`. */
  readonly switches_at: Date | null
}

export const hasSchedule = ({ enable_at, disable_at }: Readonly<Record<string, unknown>>): boolean =>
  enable_at != null || disable_at != null

/** The time in a field of a request; null if there is none. */
export const moment = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null)

/**
 * Decides whether a video is active from now on. A new schedule decides alone: inactive before enable_at, otherwise what
 * the last moment that has passed says. Without a new schedule, `active` as given holds until the next moment.
 */
export function planSwitches(
  next: Switches,
  scheduleChanged: boolean,
  givenActive: boolean | undefined,
  now: Date,
): Plan {
  const moments = [
    { at: next.enable_at, active: true },
    { at: next.disable_at, active: false },
  ]
    .flatMap(({ at, active }) => (at ? [{ at, active }] : []))
    .sort((a, b) => a.at.getTime() - b.at.getTime())
  const upcoming = moments.find(({ at }) => at > now)
  const passed = moments.findLast(({ at }) => at <= now)
  const switches_at = upcoming?.at ?? null
  if (!scheduleChanged) return { active: givenActive ?? next.active, switches_at }
  // An explicit false wins over a moment in the past: nothing is published by surprise.
  if (upcoming?.active || passed?.active === false || givenActive === false)
    return { active: false, switches_at }
  return { active: passed?.active ?? givenActive ?? next.active, switches_at }
}
