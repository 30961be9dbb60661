import type { FastifyRequest } from 'fastify'
import { queryOf } from '../http/brackets.js'

/** Player options in an address. */
export interface PlayerParameters {
  /** If absent, the channel decides. */
  readonly autoplay?: boolean
  readonly muted?: boolean
  readonly loop?: boolean
  /** Audio only. */
  readonly audio?: true
  /** False hides all controls. */
  readonly controls?: boolean
  /** The accent colour, as #rrggbb. */
  readonly color?: string
  /** Seconds from the beginning. */
  readonly start?: number
}

const switches = ['autoplay', 'muted', 'loop', 'controls'] as const
const isYes = (value: unknown) => ['true', '1', ''].includes(String(value))
const isNo = (value: unknown) => ['false', '0'].includes(String(value))
const latestStart = 1e6

export function parametersOf(request: FastifyRequest): PlayerParameters {
  const query = queryOf(request)
  const given = switches.filter((name) => isYes(query[name] ?? null) || isNo(query[name]))
  const color = String(query.color ?? '').replace(/^#?/, '#')
  const start = Number(query.start)
  return {
    ...Object.fromEntries(given.map((name) => [name, isYes(query[name])])),
    ...(query.audio !== undefined && isYes(query.audio) ? { audio: true } : {}),
    ...(/^#[0-9a-f]{6}$/i.test(color) ? { color } : {}),
    ...(query.start !== undefined && start >= 0 && start < latestStart ? { start } : {}),
  }
}

/** The options as query parameters. */
export const parametersInAddress = (parameters: PlayerParameters): [string, string][] =>
  Object.entries(parameters).map(([name, value]) => [name, String(value)])
