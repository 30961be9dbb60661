import type { FastifyRequest } from 'fastify'
import type { Client } from '../auth/clients.js'
import type { Parts } from '../resources/feature.js'
import type { Grant } from './grants/grant.js'
import type { Parameters } from './parameters.js'

/** A request to a token endpoint, as far as it has been processed. */
export interface TokenExchange {
  readonly parts: Parts
  readonly request: FastifyRequest
  readonly parameters: Parameters
  readonly client?: Client
  readonly grant?: Grant
  readonly scope?: string
  readonly answer?: object
}

/** One step: throws, or adds to the exchange. */
export type TokenStep = (exchange: TokenExchange) => Partial<TokenExchange> | Promise<Partial<TokenExchange>>

/** Runs the steps in order; the last one returns the response. */
export async function take(steps: readonly TokenStep[], begun: TokenExchange): Promise<object> {
  let exchange = begun
  for (const step of steps) exchange = { ...exchange, ...(await step(exchange)) }
  return exchange.answer ?? {}
}

/** A value that an earlier step must have set. */
export function settled<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A step ran before the one it depends on')
  return value
}
