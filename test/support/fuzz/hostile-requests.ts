import fc from 'fast-check'
import type { RawRequest } from '../raw-http.js'
import { deep, formText, idText, jsonText, names, shortText, text, xmlText } from './hostile-values.js'
import type { Target } from './openapi-targets.js'

/** What a request needs to pass authentication and lookup: a valid key, and ids of existing records. */
export interface Ground {
  readonly key: string
  /** Ids by the first part of the path. */
  readonly ids: Readonly<Record<string, readonly string[]>>
}

/** A request and the format that its response must have; undefined if the request does not determine it. */
export interface Shot extends RawRequest {
  readonly format: 'json' | 'xml' | undefined
}

type Format = 'json' | 'xml'
export type Headers = readonly (readonly [string, string])[]

export const basics: Headers = [
  ['Host', 'zoetrope.test'],
  ['Connection', 'close'],
]
export const keyed = ({ key }: Ground): Headers => [...basics, ['X-Api-Key', key]]

const idFor = (ground: Ground, path: string): fc.Arbitrary<string> =>
  fc.constantFrom(...(ground.ids[path.split('/')[1] ?? ''] ?? ['000000000000000000000000']))

/** Puts an existing id wherever the path names a record. */
const placed = (path: string, id: string) => path.replaceAll(/\{\w+\}/g, id)

/** A body in one of the accepted formats, with a bad value in the field. */
interface Body {
  readonly type: string
  readonly text: string
  readonly format: Format
}

function bodies({ name, wrapper }: Target): fc.Arbitrary<Body> {
  const title = name === 'title' ? '' : '"title": "t", '
  const wrapped = wrapper ? `${wrapper}[${name}]` : name
  const root = wrapper ?? 'request'
  const boundary = 'zoetrope'
  return fc.oneof(
    jsonText.map((value) => {
      const fields = `{${title}"${name}": ${value}}`
      return {
        type: 'application/json',
        text: wrapper ? `{"${wrapper}": ${fields}}` : fields,
        format: 'json' as const,
      }
    }),
    jsonText.map((value) => ({
      type: 'application/json',
      text: `{${title}"${name}": ${value}}`,
      format: 'json' as const,
    })),
    formText(wrapped).map((form) => ({
      type: 'application/x-www-form-urlencoded',
      text: `${wrapper ?? 'x'}[title]=t&${form}`,
      format: 'json' as const,
    })),
    shortText.map((value) => ({
      type: `multipart/form-data; boundary=${boundary}`,
      text: `--${boundary}\r\nContent-Disposition: form-data; name="${wrapped}"\r\n\r\n${value}\r\n--${boundary}--\r\n`,
      format: 'json' as const,
    })),
    xmlText(name).map((element) => ({
      type: 'text/xml',
      text: `<?xml version="1.0"?><${root}><title>t</title>${element}</${root}>`,
      format: 'xml' as const,
    })),
  )
}

const isPlatform = (path: string) =>
  /^\/(healthz|readyz|metrics|openapi|docs|oauth\/authorize|\.well-known)/.test(path)

/** Paths without a body respond before reading it, so the response may be lost if the body is long. */
const isShort = ({ text: body }: Body) => body.length < 16_000

/** Requests that are valid except in the one place that the target names. */
export function shotsAt(target: Target, ground: Ground): fc.Arbitrary<Shot> {
  const { method, path, at, name } = target
  const suffix = fc.constantFrom<['' | '.json' | '.xml', Format]>(
    ['', 'json'],
    ['.json', 'json'],
    ['.xml', 'xml'],
  )
  if (at === 'path')
    return fc.tuple(idText, idFor(ground, path), suffix).map(([id, known, [ending]]) => ({
      method,
      path:
        placed(
          path.replace(`{${name}}`, () => id),
          known,
        ) + ending,
      headers: keyed(ground),
      format: undefined,
    }))
  if (at === 'query')
    return fc.tuple(idFor(ground, path), formText(name), suffix).map(([id, query, [ending, format]]) => ({
      method,
      path: `${placed(path, id)}${path.startsWith('/openapi') ? '' : ending}?${query}`,
      headers: keyed(ground),
      format,
    }))
  const content =
    at === 'body' ? bodies(target) : isPlatform(path) ? strayBodies.filter(isShort) : strayBodies
  return fc.tuple(idFor(ground, path), content).map(([id, { type, text: body, format }]) => ({
    method,
    path: placed(path, id),
    headers: [...keyed(ground), ['Content-Type', type]],
    body: Buffer.from(body),
    format: /^\/(healthz|readyz|metrics|openapi|docs|oauth\/authorize|\.well-known)/.test(path)
      ? undefined
      : format,
  }))
}

/** Bodies that are invalid for every operation. */
const jsonBodies = fc.oneof(
  jsonText,
  fc.constantFrom(
    '',
    ' ',
    '{',
    '{"video": {"title": "a"}',
    '{"video": {"title": "a"},}',
    '[]',
    '"text"',
    '1',
    'null',
    '\ufeff{"title": "a"}',
    "{'title': 'a'}",
    '{"title": "a", "title": "b"}',
    '{"video": {"title": "a"}, "video": {"title": "b"}}',
    '{"video": [], "title": {"a": 1}}',
    '{"__proto__": {"title": "polluted"}}',
    '{"video": {"__proto__": {"title": "polluted"}}}',
    '{"constructor": {"prototype": {"title": "x"}}}',
    '{"video[title]": "a", "video": 1}',
    '{"video[title]": "a", "__proto__[x]": 1}',
    '{"a[b][c]": {"toString": 1}}',
    `{"video[keywords][]": [${'1,'.repeat(400_000)}1]}`,
    '{"_method": "delete"}',
    '{"_method": {"toString": 1}}',
    '{"api_key": {"toString": 1}}',
    '{"api_key": [["a"]], "title": "t"}',
    '<video><title>XML as JSON</title></video>',
    deep('[', ']', 10_000),
    deep('{"a":', '}', 10_000).replace('}', '1}'),
    `{"title": "${'x'.repeat(2_000_000)}"}`,
    `{"title": "t", "keywords": [${'"k",'.repeat(100_000)}"k"]}`,
  ),
)
const laughs = `<!DOCTYPE l [<!ENTITY a "ha">${'bcdefghij'.replace(/./g, (c) => `<!ENTITY ${c} "${`&${String.fromCharCode(c.charCodeAt(0) - 1)};`.repeat(10)}">`)}]><video><title>&j;</title></video>`
const xmlBodies = fc.oneof(
  text,
  fc.constantFrom(...names).map((name) => `<${name}><title>a</title><${name}>1</${name}></${name}>`),
  fc.constantFrom(
    '<!DOCTYPE v [<!ENTITY xxe SYSTEM "file:///etc/passwd">]><video><title>&xxe;</title></video>',
    '<!DOCTYPE v [<!ENTITY % p SYSTEM "http://127.0.0.1:1/x.dtd"> %p;]><video><title>a</title></video>',
    '<!doctype html><html></html>',
    laughs,
    '<video><title>a</title><title>b</title><title>c</title></video>',
    '<video><title>a</title></video><video><title>b</title></video>',
    '<video><title>a</video></title>',
    '<video title="a"',
    '<video>',
    '',
    ' ',
    'text',
    '{"video": {"title": "JSON as XML"}}',
    '<?xml version="1.0" encoding="UTF-16"?><video><title>a</title></video>',
    '<?xml version="1.0" encoding="ISO-8859-1"?><video><title>\u00e9</title></video>',
    '<?xml version="9.9" encoding=""?><video/>',
    '<result><response type="array"><video/></response></result>',
    '<result><response>text</response></result>',
    '<result/>',
    '<video type="array"><a/><b/></video>',
    '<video nil="true"/>',
    '<video xmlns="urn:a" xmlns:b="urn:b"><b:title>a</b:title></video>',
    `<video ${Array.from({ length: 3000 }, (_, i) => `a${i}="1"`).join(' ')}><title>t</title></video>`,
    `<video>${'<!-- -->'.repeat(20_000)}<title>t</title></video>`,
    `<video>${'<title>t</title>'.repeat(19_000)}</video>`,
    `<video>${'<a/>'.repeat(200_000)}</video>`,
    '<a '.repeat(300_000),
    '<'.repeat(1_000_000),
    `<video><title>${'&amp;'.repeat(100_000)}</title></video>`,
    deep('<a>', '</a>', 10_000),
    `<video><title>${'x'.repeat(2_000_000)}</title></video>`,
  ),
)
const formBodies = fc.oneof(
  formText('video[title]'),
  formText('video'),
  formText('_method'),
  formText('api_key'),
  fc.constantFrom(...names).chain(formText),
  fc.constantFrom(
    '&&&===&',
    '=',
    '[]=1',
    '[a]=1',
    'a[b=1&a]b[=2',
    'video[title]=a&video=b',
    'video=b&video[title]=a',
    '__proto__[title]=x&title=a',
    'constructor[prototype][title]=x',
    Array.from({ length: 1500 }, (_, index) => `p${index}=1`).join('&'),
    Array.from({ length: 999 }, (_, index) => `a[${index}][b]=1`).join('&'),
    `title=${'%F0%9F%8E%AC'.repeat(50_000)}`,
    `title=${'x'.repeat(2_000_000)}`,
  ),
)
const part = (disposition: string, value: string) => `--b\r\n${disposition}\r\n\r\n${value}\r\n`
const multipartBodies = fc.oneof(
  text,
  fc.constantFrom(
    '',
    '--b',
    '--b--',
    '--b--\r\n',
    '--b\r\n',
    '--b\r\n\r\n\r\n--b--\r\n',
    part('Content-Disposition: form-data', 'no name'),
    `${part('Content-Disposition: form-data; name=""', 'empty')}--b--\r\n`,
    `${part('Content-Disposition: form-data; name="__proto__"', 'x')}--b--\r\n`,
    `${part('Content-Disposition: form-data; name="video[__proto__][x]"', 'x')}--b--\r\n`,
    `${part('Content-Disposition: form-data; name="title"', 'unterminated')}`,
    `${part('Content-Disposition: form-data; name="f"; filename="x"', 'unterminated')}`,
    `${part('Content-Disposition: form-data; name="f"; filename="../../x"', 'file')}--b--\r\n`,
    `${part('Content-Disposition: form-data; name="title"\r\nContent-Type: application/json', '{"a":')}--b--\r\n`,
    `${part('Content-Disposition: form-data; name="title"\r\nContent-Transfer-Encoding: base64', '!!!')}--b--\r\n`,
    `${part(`Content-Disposition: form-data; name="${'n'.repeat(20_000)}"`, 'x')}--b--\r\n`,
    `${part(`X: ${'h'.repeat(100_000)}`, 'x')}--b--\r\n`,
    `${part('Content-Disposition: form-data; name="title"', 'x').repeat(1500)}--b--\r\n`,
    `${part('Content-Disposition: form-data; name="title"', 'x'.repeat(1_100_000))}--b--\r\n`,
    `preamble\r\n${part('Content-Disposition: form-data; name="title"', 'ok')}--b--\r\nepilogue`,
  ),
)

export const strayBodies: fc.Arbitrary<Body> = fc.oneof(
  jsonBodies.map((body) => ({ type: 'application/json', text: body, format: 'json' as const })),
  xmlBodies.map((body) => ({ type: 'text/xml', text: body, format: 'xml' as const })),
  xmlBodies.map((body) => ({ type: 'application/xml; charset=utf-8', text: body, format: 'xml' as const })),
  formBodies.map((body) => ({
    type: 'application/x-www-form-urlencoded',
    text: body,
    format: 'json' as const,
  })),
  multipartBodies.map((body) => ({
    type: 'multipart/form-data; boundary=b',
    text: body,
    format: 'json' as const,
  })),
)
