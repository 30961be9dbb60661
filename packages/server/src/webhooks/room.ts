/** How a receiver has done so far. Each kind has room of its own, so that dead and slow receivers never take that of others. */
export type Health = 'answering' | 'slow' | 'new' | 'failing'

/** How many deliveries one worker sends at the same time. */
interface SendingRoom {
  /** To one webhook. */
  readonly webhook: number
  /** To one host, whatever webhooks name it. */
  readonly host: number
  readonly all: number
  /** In all, if nothing else is being sent to the webhook: its first delivery does not wait for the tenth of another. */
  readonly firsts: number
}

export const room: Readonly<Record<Health, SendingRoom>> = {
  answering: { webhook: 32, host: 64, all: 256, firsts: 512 },
  slow: { webhook: 2, host: 16, all: 64, firsts: 64 },
  new: { webhook: 2, host: 16, all: 256, firsts: 512 },
  failing: { webhook: 1, host: 16, all: 64, firsts: 64 },
}

/** What decides whether there is room for a delivery. */
export interface Place {
  readonly site_id: string
  readonly webhook_id: string
  readonly host: string
  readonly health: Health
}

/**
 * Chooses the deliveries for which there is room beside those that are being sent. The first of every webhook goes before the
 * second of any, and channels take turns, the one that is being sent least first.
 */
export function chooseInTurns<T extends Place>(due: readonly T[], sending: readonly Place[]): T[] {
  const byWebhook = numbered(due, sending, ({ webhook_id }) => webhook_id).sort((a, b) => a.turn - b.turn)
  const turns = new Map(byWebhook.map(({ item, turn }) => [item, turn]))
  const channelOf = ({ health, site_id }: Place) => `${health} of ${site_id}`
  const byChannel = numbered([...turns.keys()], sending, channelOf).sort((a, b) => a.turn - b.turn)

  const [hosts, healths] = [counter(sending, hostOf), counter(sending, ({ health }) => health)]
  return byChannel.flatMap(({ item }) => {
    const { webhook, host, all, firsts } = room[item.health]
    const turn = turns.get(item) ?? 1
    const fits =
      turn <= webhook && hosts.count(item) < host && healths.count(item) < (turn === 1 ? firsts : all)
    if (fits) for (const each of [hosts, healths]) each.add(item)
    return fits ? [item] : []
  })
}

const hostOf = ({ health, host }: Place) => `${health} at ${host}`

/** Numbers items of the same name, after those that are being sent. */
function numbered<T extends Place>(
  items: readonly T[],
  sending: readonly Place[],
  nameOf: (item: Place) => string,
) {
  const { add } = counter(sending, nameOf)
  return items.map((item) => ({ item, turn: add(item) }))
}

function counter(counted: readonly Place[], nameOf: (item: Place) => string) {
  const counts = new Map<string, number>()
  const count = (item: Place) => counts.get(nameOf(item)) ?? 0
  const add = (item: Place) => {
    counts.set(nameOf(item), count(item) + 1)
    return count(item)
  }
  for (const item of counted) add(item)
  return { count, add }
}
