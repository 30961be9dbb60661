/** The attackers of `npm run lab -- hostile`: a process that sends hostile requests on demand and reports how each ended. */
import { type Ending, hostileRequests, type Shot, sendHostile } from '../../test/support/hostile.js'

export interface Order {
  readonly url: string
  readonly from: number
  readonly to: number
  readonly atOnce: number
  /** The name of the only kind to send, always whole. */
  readonly only?: string
  /** Sends half of each request, then waits. */
  readonly isSilent?: boolean
}

/** The number of requests by kind and ending. */
export type Tally = Record<string, Record<string, number>>

const slowMs = 1500
/** Most requests are sent whole. The point at which the others are cut off moves with each round. */
const endings = ['whole', 'reset', 'whole', 'slow', 'whole'] as const

function shotFor({ only, isSilent }: Order, index: number): Shot {
  const kinds = only ? hostileRequests.filter(({ name }) => name === only) : hostileRequests
  const request = kinds[index % kinds.length]
  if (!request) throw new Error(`There is no hostile request named ${only}`)
  if (isSilent) return { request, index, ending: 'silent', stage: 0.5 }
  const round = Math.floor(index / kinds.length)
  const ending = only ? 'whole' : (endings[round % endings.length] ?? 'whole')
  return { request, index, ending, stage: ((round * 7) % 97) / 97 }
}

async function obey(order: Order): Promise<Tally> {
  const tally: Tally = {}
  const note = (name: string, ending: Ending) => {
    tally[name] = { ...tally[name], [ending]: (tally[name]?.[ending] ?? 0) + 1 }
  }
  let next = order.from
  const shoot = async () => {
    for (let index = next++; index < order.to; index = next++) {
      const shot = shotFor(order, index)
      note(shot.request.name, await sendHostile(order.url, shot, slowMs))
    }
  }
  await Promise.all(Array.from({ length: order.atOnce }, shoot))
  return tally
}

process.on('message', ({ id, order }: { id: number; order: Order }) => {
  void obey(order).then((tally) => process.send?.({ id, tally }))
})
