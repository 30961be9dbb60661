/**
 * Sends hostile requests to a server and judges the responses. The seed and the number of a request determine its
 * content, so a run can be stopped, continued and repeated. Half of the requests are valid except for one change. The
 * others are wrong in one declared place, or in how they are framed.
 */
import { documentedPath } from '@zoetrope/contract'
import fc from 'fast-check'
import { endpoints } from '../../api/access-targets.js'
import { sendRaw } from '../raw-http.js'
import { randomFrom } from './choose.js'
import { type FuzzApi, type FuzzGround, makeGround } from './ground.js'
import { frames } from './hostile-frames.js'
import { type Shot, shotsAt } from './hostile-requests.js'
import { described, faultOf } from './judge-answer.js'
import { nearlyValid } from './near-valid.js'

export interface Finding {
  readonly number: number
  readonly operation: string
  readonly fault: string
  readonly request: string
}

/** The state of a run: what it takes to continue it and to report on it. */
export interface FuzzState {
  readonly seed: number
  next: number
  seconds: number
  slowestMs: number
  /** Nearly valid requests for which no record could be created. */
  unmade: number
  /** Responses by kind of operation and status. */
  readonly counts: Record<string, Record<string, number>>
  /** Successful nearly valid requests by operation. */
  readonly succeeded: Record<string, number>
  readonly findings: Finding[]
}

export const newState = (seed: number): FuzzState => ({
  seed,
  next: 0,
  seconds: 0,
  slowestMs: 0,
  unmade: 0,
  counts: {},
  succeeded: {},
  findings: [],
})

export interface FuzzOptions {
  readonly api: FuzzApi
  readonly state: FuzzState
  readonly until: number
  readonly atOnce: number
  /** A request that takes longer counts as hanging. */
  readonly patienceMs: number
  /** The number of initial records of each kind. */
  readonly records: number
  readonly afterEach?: () => void
  readonly isStopped?: () => boolean
}

interface Aimed {
  readonly kind: string
  readonly operation: string
  readonly shot: Shot
  readonly judged: (status: number) => void
}

/** Of twenty requests, ten are nearly valid, seven are wrong in one place, and three are wrong in their framing. */
const turn = 20
const share = { near: 10, places: 7 }
const standardKinds = ['list', 'get', 'create', 'update', 'remove']

const sample = (arbitrary: fc.Arbitrary<Shot>, seed: number): Shot =>
  fc.sample(arbitrary, { numRuns: 1, seed })[0] as Shot

async function aim(ground: FuzzGround, state: FuzzState, number: number): Promise<Aimed> {
  const { seed } = state
  const random = randomFrom(seed, number)
  const [round, within] = [Math.floor(number / turn), number % turn]
  const drawn = Math.floor(random() * 2 ** 31)
  if (within < share.near) {
    const endpoint = endpoints[
      (round * share.near + within + seed) % endpoints.length
    ] as (typeof endpoints)[number]
    const world = endpoint.resource.single ? ground.otherWorld : ground.world
    const { change, ...shot } = nearlyValid(endpoint, await ground.targetOf(endpoint), world, random)
    const operation = `${endpoint.method} ${documentedPath(endpoint.resource, endpoint.path)}`
    return {
      kind: standardKinds.includes(endpoint.name) ? `nearly valid ${endpoint.name}` : 'nearly valid action',
      operation: change,
      shot,
      judged(status) {
        if (status < 300) state.succeeded[operation] = (state.succeeded[operation] ?? 0) + 1
        if (status === 204 || status === 404 || (status < 300 && endpoint.name === 'create'))
          ground.forget(endpoint)
      },
    }
  }
  const judged = () => {}
  if (within < share.near + share.places) {
    const { places } = ground
    const place = places[
      (round * share.places + within - share.near + seed * 31) % places.length
    ] as (typeof places)[number]
    const operation = `${place.method} ${place.path}, ${place.at} ${place.name}`
    const shot = sample(shotsAt(place, ground.ground), drawn)
    return { kind: `wrong ${place.at}`, operation, shot, judged }
  }
  const kinds = Object.keys(frames)
  const kind = kinds[(round * (turn - share.near - share.places) + within) % kinds.length] as string
  return {
    kind,
    operation: kind,
    shot: sample((frames[kind] as (typeof frames)[string])(ground.ground), drawn),
    judged,
  }
}

async function fire(
  { api, state, patienceMs }: FuzzOptions,
  ground: FuzzGround,
  number: number,
): Promise<void> {
  const { kind, operation, shot, judged } = await aim(ground, state, number)
  const answer = await sendRaw(api.url, shot, patienceMs).catch((error: Error) => error)
  const outcome = answer instanceof Error ? 'none' : String(answer.status)
  const counted = state.counts[kind] ?? {}
  state.counts[kind] = counted
  counted[outcome] = (counted[outcome] ?? 0) + 1
  const fault = answer instanceof Error ? answer.message : faultOf(shot, answer)
  if (fault) state.findings.push({ number, operation, fault, request: described(shot) })
  if (answer instanceof Error) return
  state.slowestMs = Math.max(state.slowestMs, Math.round(answer.ms))
  judged(answer.status)
}

/** Continues the run until it reaches the given number of requests or is stopped. */
export async function runFuzz(options: FuzzOptions): Promise<void> {
  const { api, state, until, atOnce, records, afterEach = () => {}, isStopped = () => false } = options
  const ground = await makeGround(api, records)
  const begun = Date.now()
  const before = { seconds: state.seconds, unmade: state.unmade }
  const gun = async () => {
    while (state.next < until && !isStopped()) {
      const number = state.next
      state.next += 1
      await fire(options, ground, number)
      state.seconds = before.seconds + Math.round((Date.now() - begun) / 1000)
      state.unmade = before.unmade + ground.unmade()
      afterEach()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, gun))
}

/** Returns the declared operations that never succeeded, despite nearly valid requests. */
export const neverSucceeded = ({ succeeded }: Pick<FuzzState, 'succeeded'>): string[] =>
  [
    ...new Set(endpoints.map(({ resource, method, path }) => `${method} ${documentedPath(resource, path)}`)),
  ].filter((operation) => !succeeded[operation])
