import type { Resource } from '@zoetrope/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../auth/principals.js'
import type { Db } from '../db/database.js'
import type { Parts } from '../resources/feature.js'
import type { KeptAnswers } from './answers.js'
import type { Fields } from './body.js'
import type { Presented } from './credential.js'
import type { Endpoint, Endpoints } from './endpoints.js'

/** What all requests to one path of a resource share. */
export interface Route {
  readonly parts: Parts
  readonly answers: KeptAnswers
  readonly resource: Resource
  readonly endpoints: Endpoints
  /** All routes of resources. */
  readonly routes: RouteTable
}

/** Finds the events that the current write has made about a record. */
export type FindEvents = (
  tx: Db,
  siteId: string,
  resource: Resource,
  id: string,
) => Promise<readonly { readonly _id: string }[]>

/** The routes of all resources, for writes inside of another request. */
export interface RouteTable {
  readonly findEvents: FindEvents
  add(path: string, route: Route): void
  find(path: string): { readonly route: Route; readonly params: Readonly<Record<string, string>> } | undefined
}

/** A request whose caller is known. */
export interface Exchange extends Route {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly fields: Fields
  readonly endpoint: Endpoint
  readonly presented: Presented
  readonly principal: Principal
}

/** Whether a write is to be made only if its record has not changed since the caller read it. */
export const isConditional = ({ headers }: FastifyRequest): boolean => headers['if-match'] !== undefined
