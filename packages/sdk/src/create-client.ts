import { outline } from '@zoetrope/contract/outline'
import type { Client } from './client.js'
import { methodsOf } from './methods.js'
import { type ClientOptions, credentialHeader } from './options.js'
import { createTransport } from './transport.js'

export function createClient(options: ClientOptions): Client {
  const send = createTransport(options, credentialHeader(options), options.session?.renew)
  const namespaces = Object.entries(outline).map(([name, resource]) => [name, methodsOf(resource, send)])
  return Object.fromEntries(namespaces) as Client
}
