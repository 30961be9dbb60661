const dayMs = 24 * 3600 * 1000

/** How many days a deleted video is still kept, rounded: all of them just after it was deleted, 0 on its last day. */
export function daysLeft(deletedAt: string | null, keptDays: number, now = Date.now()): number {
  const days = (Date.parse(deletedAt ?? '') - now) / dayMs + keptDays
  return days >= 1 ? Math.round(days) : 0
}
