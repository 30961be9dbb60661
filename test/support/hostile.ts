import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { bytesOf, type RawRequest } from './raw-http.js'

/** A request without a valid credential that tries to stop the server or slow it down. */
export interface HostileRequest {
  readonly name: string
  /** The same bytes every time, or different ones by index. */
  readonly bytes: Buffer | ((index: number) => Buffer)
}

const megabyte = 1_048_576
type Headers = RawRequest['headers']

const request = (method: string, path: string, headers: Headers = [], body?: Buffer): Buffer =>
  bytesOf({ method, path, headers: [['Host', 'zoetrope.test'], ...headers], body })

const post = (path: string, type: string, body: string, headers: Headers = []): Buffer =>
  request('POST', path, [['Content-Type', type], ...headers], Buffer.from(body))

/** `pieces` of one byte each, in the chunked encoding. */
const chunked = (path: string, pieces: number): Buffer =>
  Buffer.concat([
    request('POST', path, [
      ['Content-Type', 'application/json'],
      ['Transfer-Encoding', 'chunked'],
    ]),
    Buffer.from(`${'1\r\n \r\n'.repeat(pieces)}0\r\n\r\n`),
  ])

const json = 'application/json'
const xml = 'text/xml'
const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=b'
const part = (disposition: string, value: string) => `--b\r\n${disposition}\r\n\r\n${value}\r\n`
const nameless = `${part('Content-Disposition: form-data', 'x')}--b--\r\n`
const filled = (piece: string, bytes: number) => piece.repeat(Math.floor(bytes / piece.length))

/** Almost a megabyte of empty objects, which take a hundred times as much memory once parsed. */
const objects = `{"api_key":"x","a":[${filled('{},', megabyte - 100)}{}]}`
const deepList = `{"x[y]":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
const attributes = Array.from({ length: 80_000 }, (_, index) => `a${index}="1"`).join(' ')

/** Every kind of hostile request. */
export const hostileRequests: readonly HostileRequest[] = [
  { name: 'CONNECT', bytes: request('CONNECT', 'a:1') },
  {
    name: 'upgrade to WebSocket',
    bytes: request('GET', '/videos', [
      ['Connection', 'Upgrade'],
      ['Upgrade', 'websocket'],
    ]),
  },
  { name: 'Expect of something else', bytes: request('POST', '/videos', [['Expect', 'the unexpected']]) },
  {
    name: 'Expect: 100-continue with a wrong key',
    bytes: post('/videos', json, objects, [
      ['X-Api-Key', 'x'],
      ['Expect', '100-continue'],
    ]),
  },
  {
    name: '20 requests in one piece',
    bytes: Buffer.concat(Array(20).fill(request('GET', '/videos?api_key=x'))),
  },
  {
    name: '20 bodies in pieces of one byte, sent ahead',
    bytes: Buffer.concat([
      request('GET', '/videos?api_key=x'),
      ...Array(20).fill(chunked('/oauth/token', 8000)),
    ]),
  },
  {
    name: 'a body that claims to have 100 GB',
    bytes: request('POST', '/videos', [
      ['Content-Type', json],
      ['Content-Length', '100000000000'],
    ]),
  },
  { name: 'bytes that are not HTTP', bytes: Buffer.alloc(2000, '\u0016\u0003\u0001\u0002') },
  { name: 'headers of 20 kB', bytes: request('GET', '/videos', [['X-A', 'a'.repeat(20_000)]]) },
  { name: 'a path of 15 kB', bytes: request('GET', `/videos/${'a/'.repeat(7500)}`) },
  {
    name: 'a parameter 999 times',
    bytes: request('GET', `/videos?${filled('a=1&', 3996)}`),
  },
  {
    name: 'brackets in a query',
    bytes: request('GET', `/videos?${Array.from({ length: 700 }, (_, i) => `a[${i}][b][]=1`).join('&')}`),
  },
  {
    name: 'wrong keys',
    bytes: (index) => request('GET', `/videos?api_key=zk_admin_${index}_${randomBytes(12).toString('hex')}`),
  },
  { name: 'JSON of 340,000 objects', bytes: post('/videos', json, objects) },
  {
    name: 'the same with a wrong key in a header',
    bytes: post('/videos', json, objects, [['X-Api-Key', 'x']]),
  },
  { name: 'the same to the token endpoint', bytes: post('/oauth/token', json, objects) },
  { name: 'the same to the dashboard', bytes: post('/dashboard/api/session', json, objects) },
  { name: 'the same to the report of plays', bytes: post('/playback/x/plays', json, objects) },
  { name: 'the same to an unknown path', bytes: post('/nothing/here', json, objects) },
  { name: 'JSON nested 20,000 deep', bytes: post('/videos', json, deepList) },
  {
    name: 'JSON of one long text',
    bytes: post('/videos', json, `{"title":"${'x'.repeat(megabyte - 100)}"}`),
  },
  { name: 'JSON larger than the limit', bytes: post('/videos', json, `"${'x'.repeat(2 * megabyte)}"`) },
  {
    name: 'GET with a body',
    bytes: request('GET', '/videos', [['Content-Type', json]], Buffer.alloc(megabyte, ' ')),
  },
  { name: 'a body in pieces of one byte', bytes: chunked('/videos', 60_000) },
  {
    name: 'XML of 200,000 entities',
    bytes: post('/videos', xml, `<video><title>${'&amp;'.repeat(200_000)}</title></video>`),
  },
  {
    name: 'XML of 200,000 elements',
    bytes: post('/videos', xml, `<video>${'<a/>'.repeat(200_000)}</video>`),
  },
  { name: 'XML nested 20,000 deep', bytes: post('/videos', xml, `${'<a>'.repeat(20_000)}`) },
  { name: 'XML of 80,000 attributes', bytes: post('/videos', xml, `<video ${attributes}/>`) },
  {
    name: 'XML that declares entities',
    bytes: post('/videos', xml, '<!DOCTYPE v [<!ENTITY a "b">]><video><title>&a;</title></video>'),
  },
  { name: 'a form of 250,000 parameters', bytes: post('/videos', form, filled('a=1&', megabyte - 10)) },
  {
    name: 'a form of escapes',
    bytes: post('/oauth/token', form, `username=${filled('%F0%9F%8E%AC', 900_000)}`),
  },
  ...['/playlists', '/oauth/token', '/link', '/uploads'].map((path) => ({
    name: `multipart without a name, to ${path}`,
    bytes: post(path, multipart, nameless),
  })),
  {
    name: 'multipart of 20,000 parts',
    bytes: post('/playlists', multipart, part('Content-Disposition: form-data; name="a"', '').repeat(20_000)),
  },
  {
    name: 'an upload with a megabyte before its file',
    bytes: post(
      '/videos',
      multipart,
      `${part('Content-Disposition: form-data; name="title"', 'x'.repeat(megabyte - 300))}${part('Content-Disposition: form-data; name="source"; filename="a.mp4"', 'x')}--b--\r\n`,
    ),
  },
  {
    name: 'an upload that goes on somebody else’s',
    bytes: request(
      'PATCH',
      `/uploads/tus/${'f'.repeat(24)}`,
      [
        ['Content-Type', 'application/offset+octet-stream'],
        ['Tus-Resumable', '1.0.0'],
        ['Upload-Offset', '0'],
      ],
      Buffer.alloc(megabyte),
    ),
  },
  ...['/watch/x', '/embed/x.html', '/playlists/x/carousel.html', '/manifest/x.m3u8'].map((path) => ({
    name: `a form to ${path}`,
    bytes: post(path, form, 'a=b'),
  })),
]

export const sizeOf = ({ bytes }: HostileRequest): number =>
  typeof bytes === 'function' ? bytes(0).length : bytes.length

/**
 * How a request is sent: whole, or its beginning (`stage`, from 0 to 1) followed by a reset, slow bytes and a reset, or
 * silence.
 */
export interface Shot {
  readonly request: HostileRequest
  readonly index: number
  readonly ending: 'whole' | 'reset' | 'slow' | 'silent'
  readonly stage: number
}

/** How a request ended: with a status, or without a response. */
export type Ending = number | 'closed' | 'reset by us' | 'no answer'

const dripMs = 100

/** Sends a request over its own connection. A slow request is abandoned after `slowMs`. */
export function sendHostile(url: string, shot: Shot, slowMs: number, patienceMs = 60_000): Promise<Ending> {
  const { request, index, ending, stage } = shot
  const bytes = typeof request.bytes === 'function' ? request.bytes(index) : request.bytes
  const cut = ending === 'whole' ? bytes.length : Math.max(1, Math.floor(bytes.length * stage))
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  return new Promise((resolve) => {
    let dripping: NodeJS.Timeout | undefined
    const end = (how: Ending) => {
      clearInterval(dripping)
      clearTimeout(patience)
      resolve(how)
      // Always resets: otherwise the system would hold the ports of thousands of closed connections for a minute.
      socket.resetAndDestroy()
    }
    const patience = setTimeout(end, patienceMs, 'no answer')
    const drip = (at: number) => {
      if (at >= bytes.length || (at - cut) * dripMs >= slowMs) return end('reset by us')
      socket.write(bytes.subarray(at, at + 1))
      dripping = setTimeout(drip, dripMs, at + 1)
    }
    socket.on('error', () => end('closed')).on('close', () => end('closed'))
    socket.on('data', (data) => {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1'))?.[1])
      if (status >= 200) end(status)
    })
    socket.write(bytes.subarray(0, cut), () => {
      if (ending === 'reset') end('reset by us')
      if (ending === 'slow') drip(cut)
    })
  })
}
