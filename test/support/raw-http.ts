import { connect } from 'node:net'

/** A request as raw bytes. Nothing is corrected on the way, unlike in a client library. */
export interface RawRequest {
  readonly method: string
  /** The path in the request line. Characters above U+00FF are sent as UTF-8. */
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: Buffer | undefined
  /** Sent instead of all the above. */
  readonly bytes?: Buffer | undefined
}

export interface RawAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  readonly text: string
  readonly ms: number
}

// Bytes stay bytes. Text with characters beyond one byte is written as UTF-8.
const encode = (text: string): Buffer =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all characters of one byte
  Buffer.from(text, /^[\u0000-\u00ff]*$/.test(text) ? 'latin1' : 'utf8')

export function bytesOf({ method, path, headers, body, bytes }: RawRequest): Buffer {
  if (bytes) return bytes
  const sized = body && !headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
  const all = [...headers, ...(sized ? [['Content-Length', String(body.length)] as const] : [])]
  const head = [`${method} ${path} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`), '', '']
  return Buffer.concat([encode(head.join('\r\n')), body ?? Buffer.alloc(0)])
}

/** Sends one request over its own connection. Fails without a complete response within `patience` milliseconds. */
export function sendRaw(url: string, request: RawRequest, patience = 5000): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const begun = performance.now()
  const socket = connect({ host: hostname, port: Number(port) })
  const received: Buffer[] = []
  let trouble: Error | undefined
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      trouble = new Error(`No answer within ${patience} ms`)
      socket.destroy()
    }, patience)
    socket.on('data', (chunk) => received.push(chunk))
    socket.on('error', (error) => {
      trouble ??= error
    })
    socket.on('close', () => {
      clearTimeout(timer)
      const answer = readAnswer(Buffer.concat(received), request.method, performance.now() - begun)
      if (answer) resolve(answer)
      else reject(trouble ?? new Error('The connection was closed without an answer'))
    })
    socket.write(bytesOf(request))
  })
}

function readAnswer(bytes: Buffer, method: string, ms: number): RawAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1])
  // An interim response, such as 100 Continue, precedes the real one.
  if (status < 200) return readAnswer(bytes.subarray(end + 4), method, ms)
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const rest = bytes.subarray(end + 4)
  const length = Number(headers.get('content-length') ?? rest.length)
  if (method !== 'HEAD' && status !== 204 && status !== 304 && rest.length < length) return undefined
  const body = headers.get('transfer-encoding') === 'chunked' ? unchunked(rest) : rest.subarray(0, length)
  return { status, headers, body, text: body.toString(), ms }
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const end = bytes.indexOf('\r\n', at)
    const size = end < 0 ? 0 : Number.parseInt(bytes.subarray(at, end).toString(), 16)
    if (!size) return Buffer.concat(parts)
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}
