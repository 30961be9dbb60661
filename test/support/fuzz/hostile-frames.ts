import fc from 'fast-check'
import type { Order } from '../../../packages/server/src/resources/order.js'
import { writeCursor } from '../../../packages/server/src/resources/pagination.js'
import { basics, type Ground, type Headers, keyed, type Shot, strayBodies } from './hostile-requests.js'
import { encoded, formText, idText, jsonText, shortText } from './hostile-values.js'

/** Requests with bad framing: verbs, addresses, headers, types, credentials, cursors, the bytes themselves. */

const paths = [
  '/videos',
  '/apps',
  '/account',
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/docs',
  '/',
  '/nothing',
]
const path = fc.constantFrom(...paths)
const verbs = [
  'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'PURGE', 'SEARCH', 'QUERY', 'LINK', 'MKCOL', 'CONNECT',
  'BREW', 'get', 'POST', 'PUT', 'DELETE', 'G', 'GET\t', 'X'.repeat(300),
] as const // biome-ignore format: one list, read as one
const open = undefined

const shot = (method: string, at: string, headers: Headers, body?: string | Buffer): Shot => ({
  method,
  path: at,
  headers,
  body: body === undefined ? undefined : Buffer.from(body as string),
  format: open,
})

const oddVerbs = (ground: Ground) =>
  fc.tuple(fc.constantFrom(...verbs), path).map(([verb, at]) => shot(verb, at, keyed(ground)))

const oddPaths = (ground: Ground) =>
  fc
    .oneof(
      idText.map((id) => `/${id}`),
      idText.map((id) => `/videos/${id}/restore`),
      fc.constantFrom(
        '//videos',
        '/videos//',
        `/videos${'/'.repeat(15_000)}`,
        `${'/'.repeat(15_000)}.x`,
        '/videos/./x',
        '/videos/%2e%2e/apps',
        '/videos;a=b',
        '/videos.json.xml',
        '/videos.xml.json/',
        '/.json',
        '/.xml',
        '/videos/.xml',
        '/VIDEOS',
        '/videos#x',
        '/videos?',
        '/videos??a=b',
        '/videos?&&',
        'http://evil.test/videos',
        'https://evil.test:99999/videos',
        '*',
        'videos',
        '/videos\u00e9\u00ff',
        '/v\u0000deos',
        '/videos?a=\u00ff',
        '/docs/../../package.json',
        '/docs/%2e%2e%2f%2e%2e%2fpackage.json',
        `/${'a/'.repeat(3000)}`,
        `/videos?${'a'.repeat(15_000)}`,
        `/videos?q=${'b'.repeat(40_000)}`,
        `/videos?${'a&'.repeat(5000)}`,
      ),
    )
    .map((at) => shot('GET', at, keyed(ground)))

const badHeader = fc.oneof(
  shortText.map((value) => value.replace(/[\r\n]/g, ' ')),
  fc.constantFrom(
    'a\r\nX-Injected: 1',
    'a\rb',
    'a\nb',
    'a\u0000b',
    '\u00ff\u0080',
    'x'.repeat(9000),
    'x'.repeat(40_000),
    '"',
    ',',
    ';=;=',
    '\t',
    '\u007f',
  ),
)
const headerNames = [
  'Accept',
  'Content-Type',
  'Origin',
  'Authorization',
  'X-Api-Key',
  'X-App-Key',
  'If-None-Match',
  'Accept-Encoding',
  'Access-Control-Request-Headers',
  'X-Request-Id',
  'X-Forwarded-For',
  'Cookie',
  'Range',
  'Expect',
  'Upgrade',
  'X-HTTP-Method-Override',
  'Content-Encoding',
  'Transfer-Encoding',
  'Host',
  'Date',
] as const
const oddHeaders = (ground: Ground) =>
  fc
    .tuple(fc.constantFrom('GET', 'POST', 'OPTIONS'), fc.constantFrom(...headerNames), badHeader)
    .map(([verb, name, value]) => shot(verb, '/videos', [...keyed(ground), [name, value]]))

const types = [
  '', ' ', '/', 'x', 'text/plain', 'text/html', 'application/octet-stream', 'application/json/', 'application/json; charset=utf-16',
  'application/json;charset="', 'application/json, text/xml', 'application/vnd.api+json', 'application/jsonp', 'APPLICATION/JSON',
  'text/xml; charset=iso-8859-1', 'application/soap+xml', 'multipart/form-data', 'multipart/form-data; boundary=', 'multipart/mixed; boundary=b',
  `multipart/form-data; boundary=${'b'.repeat(2000)}`, 'multipart/form-data; boundary="a\\"', 'application/x-www-form-urlencoded; charset=gbk', '__proto__',
] as const // biome-ignore format: one list, read as one
const oddTypes = (ground: Ground) =>
  fc
    .tuple(fc.constantFrom('POST', 'PUT', 'GET', 'DELETE'), fc.constantFrom(...types), strayBodies)
    .map(([verb, type, body]) => shot(verb, '/videos', [...keyed(ground), ['Content-Type', type]], body.text))

/** Bytes that are not UTF-8, or not in the announced encoding. */
const broken = [
  Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
  Buffer.from('{"title": "\u00e9"}', 'latin1'),
  Buffer.from('<video><title>\u00e9</title></video>', 'latin1'),
  Buffer.from('title=\u00e9', 'latin1'),
  Buffer.from('{"title": "a"}', 'utf16le'),
  Buffer.concat([
    Buffer.from('{"title": "'),
    Buffer.from([0xed, 0xa0, 0x80, 0xc0, 0xaf, 0xf8]),
    Buffer.from('"}'),
  ]),
  Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]),
]
const brokenBytes = (ground: Ground) =>
  fc
    .tuple(
      fc.constantFrom(...broken),
      fc.constantFrom(
        'application/json',
        'text/xml',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=b',
      ),
    )
    .map(([body, type]) => shot('POST', '/videos', [...keyed(ground), ['Content-Type', type]], body))

/** Cursors with a valid checksum, so that they pass its check. */
const cursors = (ground: Ground) =>
  fc
    .record({
      sort: fc.constantFrom('created_at', 'title', 'episode', 'rating', 'request_count'),
      order: fc.constantFrom<Order>('asc', 'desc'),
      value: shortText,
      id: fc.constantFrom('0'.repeat(24), 'f'.repeat(24), '', '\u0000'),
      total: fc.constantFrom(1, -1, 1.5, Number.MAX_SAFE_INTEGER, Number.NaN),
    })
    .map(({ sort, order, ...place }) => {
      const request = { sort, order, page: 0, perPage: 10, firstPage: 0, cursor: undefined }
      return shot(
        'GET',
        `/videos?sort=${sort}&order=${order}&cursor=${writeCursor(request, { ...place, isExact: true })}`,
        keyed(ground),
      )
    })

const lists = (ground: Ground) =>
  fc
    .tuple(
      fc
        .constantFrom(
          'sort',
          'order',
          'page',
          'per_page',
          'cursor',
          'q',
          'active',
          'deleted',
          'response_fields',
          '_method',
        )
        .chain(formText),
      fc
        .constantFrom('sort', 'order', 'page', 'per_page', 'cursor', 'q', 'category', 'zobject_id')
        .chain(formText),
    )
    .map(([one, two]) => shot('GET', `/videos?${one}&${two}`, keyed(ground)))

const credentials = (ground: Ground) =>
  fc.oneof(
    fc
      .constantFrom('api_key', 'app_key', 'access_token')
      .chain(formText)
      .map((query) => shot('GET', `/videos?${query}`, basics)),
    fc
      .tuple(fc.constantFrom('api_key', 'app_key', 'access_token'), jsonText)
      .map(([name, value]) =>
        shot(
          'POST',
          '/videos',
          [...basics, ['Content-Type', 'application/json']],
          `{"${name}": ${value}, "title": "t"}`,
        ),
      ),
    fc
      .constantFrom(
        `${ground.key}\u0000`,
        `${ground.key} `,
        ground.key.toUpperCase(),
        ground.key.repeat(20),
        'a,b',
      )
      .map((key) => shot('GET', `/videos?api_key=${encoded(key)}`, basics)),
    shortText.map((token) =>
      shot('GET', '/videos', [...basics, ['Authorization', `Bearer ${token.replace(/[\r\n]/g, '')}`]]),
    ),
    fc.constant(shot('GET', `/videos?api_key=${ground.key}`, keyed(ground))),
  )

const methods = (ground: Ground) =>
  fc
    .tuple(
      formText('_method'),
      fc.constantFrom('put', 'delete', 'DELETE', 'get', 'patch', 'trace', '__proto__', 'constructor'),
      fc.constantFrom('/videos', '/apps', '/account', '/videos/0'),
    )
    .chain(([form, verb, at]) => {
      const typed = (type: string): Headers => [...keyed(ground), ['Content-Type', type]]
      return fc.constantFrom(
        shot('POST', `${at}?${form}`, keyed(ground)),
        shot('POST', `${at}?_method=${verb}`, keyed(ground)),
        shot('GET', `${at}?_method=${verb}`, keyed(ground)),
        shot('POST', at, typed('application/x-www-form-urlencoded'), `_method=${verb}`),
        shot('POST', at, typed('application/json'), `{"_method": "${verb}"}`),
        shot('POST', at, typed('application/json'), `{"_method": {"toString": "${verb}"}}`),
        shot('POST', at, typed('text/xml'), `<video><_method>${verb}</_method></video>`),
      )
    })

const raw = (ground: Ground) => {
  const head = `X-Api-Key: ${ground.key}\r\nConnection: close\r\n`
  const frames = [
    `GET /videos HTTP/1.1\r\n${head}\r\n`,
    `GET /videos HTTP/1.0\r\n${head}\r\n`,
    `GET /videos HTTP/3.7\r\nHost: a\r\n${head}\r\n`,
    `GET /videos\r\n\r\n`,
    `GET  /videos HTTP/1.1\r\nHost: a\r\n${head}\r\n`,
    `GET /videos HTTP/1.1\nHost: a\nConnection: close\n\n`,
    `GET /videos HTTP/1.1\r\nHost: a\r\nHost: b\r\n${head}\r\n`,
    `GET /videos HTTP/1.1\r\nHost: a\r\nno colon\r\n${head}\r\n`,
    `GET /videos HTTP/1.1\r\nHost: a\r\n: empty\r\n${head}\r\n`,
    `GET /videos HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n folded\r\n${head}\r\n`,
    `GET /videos HTTP/1.1\r\nHost: a\r\nX-A : 1\r\n${head}\r\n`,
    `GET /videos HTTP/1.1\r\nHost: a\r\nX-\u0000: 1\r\n${head}\r\n`,
    `GET /videos HTTP/1.1\r\nHost: a\r\n${Array.from({ length: 3000 }, (_, i) => `X-${i}: 1\r\n`).join('')}${head}\r\n`,
    `POST /videos HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n${head}\r\n`,
    `POST /videos HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n${head}\r\n`,
    `POST /videos HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n${head}\r\n{}`,
    `POST /videos HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n${head}\r\n0\r\n\r\n`,
    `POST /videos HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n${head}\r\nzz\r\n{}\r\n0\r\n\r\n`,
    `POST /videos HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n${head}\r\n2\r\n{}\r\n0\r\n\r\n`,
    `POST /videos HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n${head}\r\n{}`,
    `POST /videos HTTP/1.1\r\nHost: a\r\nExpect: the impossible\r\nContent-Length: 2\r\n${head}\r\n{}`,
    `GET /videos HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\nX-Api-Key: ${ground.key}\r\n\r\n`,
    `CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n${head}\r\n`,
    `\r\n\r\nGET /videos HTTP/1.1\r\nHost: a\r\n${head}\r\n`,
    `\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003`.repeat(20),
    `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
  ]
  return fc
    .constantFrom(...frames)
    .map((frame): Shot => ({ ...shot('GET', '', []), bytes: Buffer.from(frame, 'latin1') }))
}

/** Each kind by name. */
export const frames: Readonly<Record<string, (ground: Ground) => fc.Arbitrary<Shot>>> = {
  'odd verbs': oddVerbs,
  'odd paths': oddPaths,
  'odd headers': oddHeaders,
  'wrong content types': oddTypes,
  'broken bytes': brokenBytes,
  'made-up cursors': cursors,
  'list parameters': lists,
  'bad credentials': credentials,
  '_method abuse': methods,
  'broken HTTP': raw,
}
