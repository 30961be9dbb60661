import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clipFolder } from './player-clip.js'

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.mp4': 'video/mp4',
  '.m4s': 'video/iso.segment',
  '.vtt': 'text/vtt',
  '.jpg': 'image/jpeg',
}

const script = fileURLToPath(new URL('../../packages/player/dist', import.meta.url))

/** Handles one path; all others are files of the clip or of the player. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface PlayerServer {
  readonly origin: string
  /** The same server under another origin. */
  readonly elsewhere: string
  readonly requests: string[]
  answer(path: string, answer: Answer | undefined): void
  /** Returns the URL of a page with this body. */
  page(body: string): string
  stop(): Promise<void>
}

const pageOf = (
  body: string,
) => `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>A page</title><link rel="icon" href="data:,"><style>body { margin: 0 }</style><body>${body}</body></html>`

/** Serves a clip, the player's script, pages, and the paths that a test handles itself. */
export async function startPlayerServer(): Promise<PlayerServer> {
  const folder = await clipFolder()
  const answers = new Map<string, Answer>()
  const requests: string[] = []

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    requests.push(pathname)
    response.setHeader('access-control-allow-origin', '*')
    const answer = answers.get(pathname)
    if (answer) return answer(request, response)
    const body = searchParams.get('body')
    if (body !== null) return response.setHeader('content-type', 'text/html').end(pageOf(body))
    const root = pathname.startsWith('/clip/') ? folder : script
    const file = join(root, normalize(pathname.replace('/clip/', '/')))
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
    readFile(file).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  return {
    origin,
    elsewhere: `http://localhost:${port}`,
    requests,
    answer: (path, answer) => (answer ? answers.set(path, answer) : answers.delete(path)),
    page: (body) => `${origin}/?body=${encodeURIComponent(body)}`,
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
