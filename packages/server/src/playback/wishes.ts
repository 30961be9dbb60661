import type { FastifyRequest } from 'fastify'
import { queryOf } from '../http/brackets.js'

/** What an address asks of the player. */
export interface Wishes {
  readonly autoplay?: true
  readonly muted?: true
  readonly loop?: true
  /** Only the sound. */
  readonly audio?: true
  /** False for a picture without anything to press. */
  readonly controls?: false
  /** Seconds from the beginning. */
  readonly start?: number
}

const switches = ['autoplay', 'muted', 'loop', 'audio'] as const
const isYes = (value: unknown) => ['true', '1', ''].includes(String(value))
const isNo = (value: unknown) => ['false', '0'].includes(String(value))
const latestStart = 1e6

export function wishesOf(request: FastifyRequest): Wishes {
  const query = queryOf(request)
  const asked = switches.filter((name) => query[name] !== undefined && isYes(query[name]))
  const start = Number(query.start)
  return {
    ...Object.fromEntries(asked.map((name) => [name, true])),
    ...(isNo(query.controls) ? { controls: false } : {}),
    ...(query.start !== undefined && start >= 0 && start < latestStart ? { start } : {}),
  }
}

/** The same as parameters of an address. */
export const wishesInAddress = (wishes: Wishes): [string, string][] =>
  Object.entries(wishes).map(([name, value]) => [name, String(value)])
