import { outline } from '@zoetrope/contract/outline'
import { createCaller } from './caller.js'
import type { Client, MoreMethods } from './client.js'
import { followEvents, followVideo } from './follow.js'
import { methodsOf } from './methods.js'
import { type ClientOptions, credentialHeader } from './options.js'
import { sendFile } from './send-file.js'
import { createTransport } from './transport.js'

export function createClient(options: ClientOptions): Client {
  const credential = credentialHeader(options)
  const send = createTransport(options, credential, options.session?.renew)
  const caller = createCaller(options, credential)
  const more: MoreMethods = {
    events: { follow: (query, following) => followEvents(caller, query, following) },
    videos: { follow: (id, following) => followVideo(caller, id, following) },
    uploads: { send: (file, sending) => sendFile(caller, file, sending) },
  }
  const namespaces = Object.entries(outline).map(([name, resource]) => [
    name,
    { ...methodsOf(resource, send), ...more[name as keyof MoreMethods] },
  ])
  return Object.fromEntries(namespaces) as Client
}
