import type { FastifyRequest } from 'fastify'
import type { Client } from '../auth/clients.js'
import type { Parts } from '../resources/feature.js'
import type { Grant } from './grants/grant.js'
import type { Parameters } from './parameters.js'

/** A request to a token endpoint, as far as it has been understood. */
export interface Exchange {
  readonly parts: Parts
  readonly request: FastifyRequest
  readonly parameters: Parameters
  readonly client?: Client
  readonly grant?: Grant
  readonly scope?: string
  readonly answer?: object
}

/** One step: it throws, or adds to what is understood. */
export type Step = (exchange: Exchange) => Partial<Exchange> | Promise<Partial<Exchange>>

/** Takes the steps one after the other; the last gives the answer. */
export async function take(steps: readonly Step[], begun: Exchange): Promise<object> {
  let exchange = begun
  for (const step of steps) exchange = { ...exchange, ...(await step(exchange)) }
  return exchange.answer ?? {}
}

/** What an earlier step of the list has seen to. */
export function settled<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A step was taken before the one it builds on')
  return value
}
