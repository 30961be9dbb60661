import type { Server } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { kindOfDevice } from '../lib/device-kind.js'
import { plainAddress } from '../lib/networks.js'
import type { GeoLookup, Origin, Surroundings } from '../lib/surroundings.js'

declare module 'fastify' {
  interface FastifyRequest {
    geo: GeoLookup
  }
}

/** Lets every request know where it comes from. */
export function addGeoLookup(app: FastifyInstance, geo: GeoLookup): void {
  app.decorateRequest('geo', { getter: () => geo })
}

/**
 * Makes `request.ip` available even after the client has disconnected: Node remembers the address of a socket once it has been
 * read, and cannot read it later. A client that has already gone gets no answer.
 */
export function rememberAddresses(server: Server): void {
  server.on('connection', (socket) => {
    if (socket.remoteAddress === undefined) socket.destroy()
  })
}

export const usualPort = (protocol: string): string => (protocol === 'https:' ? '443' : '80')

/** Where a request comes from, and what it says about that. */
export const originOf = (request: FastifyRequest): Origin => ({
  address: request.ip,
  geo: request.geo,
  surroundings: () => surroundingsOf(request),
})

export function surroundingsOf(request: FastifyRequest): Surroundings {
  const { ip, headers, socket, geo } = request
  const site = siteOf(headers.origin ?? headers.referer)
  return {
    address: plainAddress(ip),
    place: geo.find(ip, { neighbour: socket.remoteAddress ?? '', headers }),
    device: kindOfDevice(headers['user-agent']),
    app_id: '',
    host: site?.hostname ?? '',
    port: site ? site.port || usualPort(site.protocol) : '',
  }
}

/** A sandboxed page says `null`. A browser never sends a user's name, so an address that has one was made up. */
export function siteOf(address: string | undefined): URL | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  const site = new URL(address)
  const isPlain = site.username === '' && site.password === ''
  return isPlain && ['http:', 'https:'].includes(site.protocol) ? site : undefined
}
