const dayMs = 24 * 3600 * 1000

/** How many whole days a deleted video is still kept; 0 on its last day. */
export function daysLeft(deletedAt: string | null, keptDays: number, now = Date.now()): number {
  const end = Date.parse(deletedAt ?? '') + keptDays * dayMs
  return Number.isNaN(end) ? 0 : Math.max(0, Math.floor((end - now) / dayMs))
}
