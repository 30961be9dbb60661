import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { MediaError } from './media-error.js'
import type { OfferedFile } from './media-source.js'
import { type Ffmpeg, runFfmpeg } from './run-ffmpeg.js'
import type { Sandbox } from './sandbox.js'

/** A file that is elsewhere, and how parts of it are read. */
export interface RemoteFile {
  readonly size: number
  read(range: { start: number; end: number }): AsyncIterable<Uint8Array>
}

/** How ffmpeg is run while files are offered to it. */
type RunWith = Pick<Ffmpeg, 'sandbox' | 'unreadable'>

export interface RangeServer {
  /**
   * Offers a file while `use` runs. If a part of it cannot be read, the programs that read it are ended, and that error is the
   * result, whatever `use` made of the rest.
   */
  offer<T>(file: RemoteFile, use: (source: OfferedFile, how: RunWith) => Promise<T>): Promise<T>
}

interface FileOffer {
  readonly file: RemoteFile
  readonly answers: Set<ServerResponse>
  readonly fail: (error: unknown) => void
}

/** Serves files that are elsewhere to ffmpeg, each at an address that only its readers know. */
export async function openRangeServer(
  ffmpeg: Pick<Ffmpeg, 'programs'> & { sandbox: Sandbox },
): Promise<RangeServer | undefined> {
  if (!(await canReadHttp(ffmpeg))) return undefined
  const served = await ffmpeg.sandbox.withServer()
  if (!served) return undefined
  const offers = new Map<string, FileOffer>()
  const http = createServer((request, response) => {
    const offer = offers.get(request.url ?? '')
    if (offer) void send(offer, request, response)
    else response.writeHead(404).end()
  })
  const failAll = () => {
    // It may have been a program of ours, which takes this for the end of its film.
    for (const { fail } of offers.values()) fail(unreadable())
    return false
  }
  const admit = async (socket: Socket) => {
    // A stranger may break off before it is known who it is.
    socket.on('error', () => {})
    if (await served.admits(socket).catch(failAll)) http.emit('connection', socket)
    else socket.destroy()
  }
  served.server.on('connection', (socket: Socket) => void admit(socket))
  return {
    async offer(file, use) {
      const path = `/${randomBytes(24).toString('hex')}`
      const failing = new AbortController()
      const offer = {
        file,
        answers: new Set<ServerResponse>(),
        fail: (error: unknown) => failing.abort(error),
      }
      offers.set(path, offer)
      const source = {
        address: `http://127.0.0.1:${served.port}${path}`,
        size: file.size,
        read: (start: number, length: number) => readAt(offer, start, length),
      }
      try {
        return await use(source, {
          sandbox: { wrap: served.wrap, lacks: ffmpeg.sandbox.lacks },
          unreadable: failing.signal,
        })
      } finally {
        offers.delete(path)
        for (const answer of offer.answers) answer.destroy()
        failing.signal.throwIfAborted()
      }
    },
  }
}

async function canReadHttp(ffmpeg: Ffmpeg): Promise<boolean> {
  const lists = await Promise.all(
    (['ffmpeg', 'ffprobe'] as const).map((program) =>
      runFfmpeg(ffmpeg, { program, args: ['-protocols'], pipes: 0, files: [] }).catch(() => Buffer.alloc(0)),
    ),
  )
  return lists.every((list) => /^\s*http$/m.test(list.toString('latin1')))
}

const unreadable = () => new MediaError('unreadable', 'The film could not be read to its end.')

/** Reads a part of the file, and notes if that fails or ends too early. */
async function* readPart(
  { file, fail }: FileOffer,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  let left = Math.min(end, file.size) - start
  try {
    for await (const chunk of file.read({ start, end })) {
      left -= chunk.byteLength
      yield chunk
    }
    if (left > 0) throw unreadable()
  } catch (error) {
    fail(error)
    throw error
  }
}

async function readAt(offer: FileOffer, start: number, length: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readPart(offer, { start, end: start + length })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function send(offer: FileOffer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { size } = offer.file
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const start = Number(from ?? 0)
  const end = Math.min(to ? Number(to) + 1 : size, size)
  if (start >= end) return void response.writeHead(416, { 'content-range': `bytes */${size}` }).end()
  response.writeHead(from === undefined ? 200 : 206, {
    'accept-ranges': 'bytes',
    'content-length': end - start,
    ...(from === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
  })
  offer.answers.add(response)
  response.on('error', () => {}).once('close', () => offer.answers.delete(response))
  await sendBytes(offer, { start, end }, response)
}

async function sendBytes(
  offer: FileOffer,
  range: { start: number; end: number },
  response: ServerResponse,
): Promise<void> {
  try {
    for await (const chunk of readPart(offer, range)) {
      if (response.destroyed) return
      if (!response.write(chunk)) await canGoOn(response)
    }
    response.end()
  } catch {
    // The answer is left open until the reader has been ended: a cut one could look like the end of the file.
  }
}

/** Resolves when more can be written, or nobody reads any longer. */
function canGoOn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      response.off('drain', goOn).off('close', goOn)
      resolve()
    }
    if (response.destroyed) resolve()
    else response.on('drain', goOn).on('close', goOn)
  })
}
