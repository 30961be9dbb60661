import type { FastifyRequest } from 'fastify'
import { queryOf } from '../api/brackets.js'
import type { KnownParameters } from './ignored-parameters.js'

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

const isSwitch = [(value: string) => isYes(value) || isNo(value), 'true or false'] as const
const isStart = (seconds: number) => seconds >= 0 && seconds < latestStart

/** The options of the player, as parameters of an address. */
export const playerParameters: KnownParameters = {
  ...Object.fromEntries([...switches, 'audio'].map((name) => [name, isSwitch])),
  color: [(value) => colorIn(value) !== undefined, 'a colour such as 2855c5'],
  start: [(value) => isStart(Number(value)), 'seconds from the beginning'],
  t: [(value) => isStart(secondsIn(value)), 'a time such as 90 or 1m30s'],
}

const colorIn = (value: string) => /^#?([0-9a-f]{6})$/i.exec(value)?.[1]

export function parametersOf(request: FastifyRequest): PlayerParameters {
  const query = queryOf(request)
  const given = switches.filter((name) => isYes(query[name] ?? null) || isNo(query[name]))
  const color = colorIn(String(query.color ?? ''))
  const start = query.t === undefined ? Number(query.start ?? Number.NaN) : secondsIn(String(query.t))
  return {
    ...Object.fromEntries(given.map((name) => [name, isYes(query[name])])),
    ...(query.audio !== undefined && isYes(query.audio) ? { audio: true } : {}),
    ...(color ? { color: `#${color}` } : {}),
    ...(isStart(start) ? { start } : {}),
  }
}

/** The seconds in 90, 90s, 1m30s, 1h2m3s, 1:30 or 1:02:03; NaN for anything else. */
export function secondsIn(text: string): number {
  const [, hours, minutes, seconds] =
    /^(?:(\d{1,4})h)?(?:(\d{1,6})m)?(?:(\d{1,7}(?:\.\d{1,3})?)s?)?$/.exec(text) ??
    /^(?:(\d{1,4}):)?(\d{1,3}):(\d{2})$/.exec(text) ??
    []
  if (text === '' || [hours, minutes, seconds].every((part) => part === undefined)) return Number.NaN
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
}

/** The options as query parameters. */
export const parametersInAddress = (parameters: PlayerParameters): [string, string][] =>
  Object.entries(parameters).map(([name, value]) => [name, String(value)])
