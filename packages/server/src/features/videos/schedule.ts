/** Whether a video is shown, and when that changes by itself. */
export interface Switches {
  readonly active: boolean
  readonly enable_at: Date | null
  readonly disable_at: Date | null
}

export interface Plan {
  readonly active: boolean
  /** The next moment at which `active` changes by itself. */
  readonly switches_at: Date | null
}

/**
 * What holds from now on. A schedule that was just written decides by itself: hidden before enable_at, and as the last
 * moment that has passed says. Without a new schedule, what the publisher says holds until the next moment comes.
 */
export function planSwitches(
  next: Switches,
  scheduleChanged: boolean,
  saidActive: boolean | undefined,
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
  if (!scheduleChanged) return { active: saidActive ?? next.active, switches_at }
  // An explicit false is never overruled by a moment in the past: nothing is published by surprise.
  if (upcoming?.active || passed?.active === false || saidActive === false)
    return { active: false, switches_at }
  return { active: passed?.active ?? saidActive ?? next.active, switches_at }
}
