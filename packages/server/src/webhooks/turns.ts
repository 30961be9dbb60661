import type { Busy } from './in-flight.js'
import { type Due, type Health, mostOfChannel, room } from './room.js'

/** Where a delivery takes up room. */
type Place = Pick<Due, 'health' | 'webhook_id' | 'host' | 'site_id'> & { readonly isLate?: boolean }

/** A receiver that has answered until now may be dead since: attempts that take long leave the room of those that answer. */
const healthOf = ({ health, isLate }: Place): Health => (isLate && health === 'answering' ? 'slow' : health)
const atHost = ({ health, host }: Place) => `${health} at ${host}`
const inChannel = (one: Place) => `${healthOf(one)} of ${one.site_id}`

/**
 * Chooses the deliveries for which there is room: the first of every webhook before the second of any, and first for
 * channels for which the fewest are being sent. Among those, the webhook that was sent something least recently goes first.
 */
export function chooseInTurns<T extends Due>(
  due: readonly T[],
  { sending, begunAt }: Pick<Busy, 'sending' | 'begunAt'>,
): T[] {
  const taken = roomTaken(sending)
  const ofWebhook = (webhook_id: string) => begunAt.get(webhook_id) ?? 0
  const byWebhook = numbered(
    due,
    ({ webhook_id }) => webhook_id,
    countBy(sending, ({ webhook_id }) => webhook_id),
  ).sort((a, b) => a.place - b.place || ofWebhook(a.item.webhook_id) - ofWebhook(b.item.webhook_id))
  const byChannel = numbered(byWebhook, ({ item }) => inChannel(item), taken.channels).sort(
    (a, b) => a.place - b.place || a.item.place - b.item.place,
  )
  return byChannel.flatMap(({ item: { item, place } }) => (taken.fits(item, place) ? [taken.add(item)] : []))
}

/** Numbers items with the same name, from the count of those that came before. */
function numbered<T>(items: readonly T[], nameOf: (item: T) => string, before: ReadonlyMap<string, number>) {
  const counts = new Map(before)
  return items.map((item) => ({ item, place: increment(counts, nameOf(item)) }))
}

/** Counts what is being sent. */
function roomTaken(sending: readonly Place[]) {
  const healths = countBy(sending, healthOf)
  const hosts = countBy(sending, atHost)
  const channels = countBy(sending, inChannel)
  return {
    channels,
    /** Whether there is room for a delivery that would be this one of those that its webhook is being sent. */
    fits(one: Place, place: number): boolean {
      const { inAll, firsts, each, ofHost } = room[one.health]
      const more = place === 1 ? firsts : 0
      return (
        place <= each &&
        (healths.get(one.health) ?? 0) < inAll + more &&
        (channels.get(inChannel(one)) ?? 0) < mostOfChannel(one.health) + more &&
        (hosts.get(atHost(one)) ?? 0) < ofHost
      )
    },
    add<T extends Place>(one: T): T {
      increment(healths, one.health)
      increment(hosts, atHost(one))
      increment(channels, inChannel(one))
      return one
    },
  }
}

/** Whether any of these takes the last place of a limit, so that others may wait until it has ended. */
export function fillsRoom(sending: readonly Place[]): boolean {
  const taken = roomTaken(sending)
  const webhooks = countBy(sending, ({ webhook_id }) => webhook_id)
  return sending.some((one) => !taken.fits(one, (webhooks.get(one.webhook_id) ?? 0) + 1))
}

export function countBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) increment(counts, nameOf(item))
  return counts
}

function increment(counts: Map<string, number>, name: string): number {
  const count = (counts.get(name) ?? 0) + 1
  counts.set(name, count)
  return count
}
