import fc from 'fast-check'

/** Values that break code that trusts them: as JSON text, as parts of a form or query string, as XML, as ids. */

const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'then',
  'length',
]
const texts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u0001\u0008\u001f',
  '\r\n',
  '\ud800',
  'x\udc00y',
  '\udfff\ud800',
  '\ufffe\uffff',
  '\u202e\u2066abc',
  '🎬'.repeat(200),
  'x'.repeat(256),
  'x'.repeat(1001),
  "'; drop table videos; --",
  '%_\\',
  '*',
  '{{7*7}}',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e999',
  '0x1F',
  '١٢',
  '-0',
  '+1',
  '1.5',
  '-1',
  '2147483648',
  '9223372036854775808',
  '99999999999999999999',
  'true',
  'null',
  'all',
  '0000-00-00',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:60Z',
  '2024-02-30',
  '+275760-09-13',
  '2024-01-01T00:00:00+99:99',
  'infinity',
  '-infinity',
  'epoch',
  'now',
  '000000000000000000000000',
  'FFFFFFFFFFFFFFFFFFFFFFFF',
  '<b>&amp;</b>',
  ']]>',
  ...names,
]

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(50_001, 300_000).map((length) => 'y'.repeat(length)) },
  // Texts that make a careless regular expression backtrack.
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('1', ' ', '-', '/', 'a.', '&', '\t', '2024-01-01')
      .map((c) => `${c.repeat(90_000)}!`),
  },
)
/** Texts that fit into a request line. */
const shortText = text.map((value) => value.slice(0, 1500))

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
const rawJson = [
  '1e400',
  '-1e400',
  '1e-400',
  '-0',
  '123456789012345678901234567890',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '{"__proto__": {"admin": true}}',
  '{"constructor": {"prototype": {"x": 1}}}',
  '{"toString": "x", "valueOf": "x"}',
  '{"toString": null}',
  '[{"toString": 1}]',
  '{"length": 1e9}',
  '{"a": 1, "a": 2}',
  '{"\\u0000": 1}',
  '{"\\ud800": 1}',
  '{"": ""}',
  '[[[[[]]]]]',
  '[null, 1, "a", {}, []]',
  '{"0": "a", "1": "b"}',
  '{"$gt": ""}',
  'null',
  'true',
  '[]',
  '{}',
]
export const jsonText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...rawJson) },
  { weight: 4, arbitrary: text.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 5 }) },
  {
    weight: 1,
    arbitrary: fc
      .array(
        text.map((value) => value.slice(0, 99)),
        { maxLength: 300 },
      )
      .map((list) => JSON.stringify(list)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(deep('[', ']', 10_000), deep('{"a":', '}', 30), deep('[', ']', 25)),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(101, 5000)
      .map((count) =>
        JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))),
      ),
  },
)

const encoded = (value: string) => encodeURIComponent(value.toWellFormed())
const rawEncoded = [
  '%',
  '%z',
  '%zz',
  '%ff%fe',
  '%c0%80',
  '%ed%a0%80',
  '%00',
  '%f5%80%80%80',
  '+',
  '%0d%0aSet-Cookie:x=1',
  '%u0041',
]
const formValue = fc.oneof(
  { weight: 2, arbitrary: shortText.map(encoded) },
  { weight: 1, arbitrary: fc.constantFrom(...rawEncoded) },
)

/** One parameter, written in all the ways that abuse brackets. */
export const formText = (name: string): fc.Arbitrary<string> =>
  fc
    .tuple(formValue, formValue, fc.constantFrom(...names))
    .chain(([value, other, word]) =>
      fc.constantFrom(
        `${name}=${value}`,
        `${name}=${value}`,
        `${name}=${value}`,
        `${name}=${value}&${name}=${other}`,
        `${name}[]=${value}&${name}[]=${other}`,
        `${name}[a]=${value}`,
        `${name}[a]=${value}&${name}=${other}`,
        `${name}=${value}&${name}[a]=${other}`,
        `${name}[${word}]=${value}`,
        `${name}[${word}][${word}]=${value}`,
        `${name}[toString]=${value}`,
        `${name}[a=${value}`,
        `${name}]=${value}`,
        `${name}[[a]]=${value}`,
        `${name}[][][]=${value}`,
        `${name}[][a]=${value}&${name}[][b]=1&${name}[][a]=2`,
        `${name}${'[0]'.repeat(12)}=${value}`,
        `${name}${'[0]'.repeat(40)}=${value}`,
        `${name}[9999]=${value}&${name}[0]=1`,
        `${name}[99999999999]=${value}`,
        `${name}[gte]=${value}`,
        `${encoded(name)}%5B%5D=${value}`,
        `${name}`,
        `${name}=`,
        Array.from({ length: 201 }, (_, index) => `${name}[]=${index}`).join('&'),
      ),
    )

const attributes = [
  '',
  ' type="integer"',
  ' type="float"',
  ' type="boolean"',
  ' type="array"',
  ' type="datetime"',
  ' type="object"',
  ' nil="true"',
  ' nil="x" type="__proto__"',
  ' key="__proto__"',
]
const xmlInside = fc.oneof(
  shortText.map((value) => value.replace(/[&<]/g, (c) => (c === '&' ? '&amp;' : '&lt;'))),
  shortText,
  fc.constantFrom(
    '&xxe;',
    '&#0;',
    '&#xD800;',
    '&#x110000;',
    '&#99999999;',
    '&amp',
    '&;',
    '<![CDATA[a]]>',
    '<![CDATA[<&\u0000]]>',
    '<!-- c -->',
    '<?php x?>',
    '<a/><a/><b><a/></b>',
    '<__proto__><x>1</x></__proto__>',
    '<constructor>1</constructor>',
    '<entry key="__proto__">1</entry>',
    '<entry key="&xxe;">1</entry>',
    deep('<a>', '</a>', 30),
    '<item>1</item><item>2</item>',
    'text<a>1</a>text',
  ),
)

/** One element with bad content, a bad type, or both; sometimes twice. */
export const xmlText = (name: string): fc.Arbitrary<string> =>
  fc.tuple(xmlInside, fc.constantFrom(...attributes), fc.boolean()).map(([inside, attribute, twice]) => {
    const element = `<${name}${attribute}>${inside}</${name}>`
    return twice ? element + element : element
  })

/** The last segment of a path. */
export const idText = fc.oneof(
  fc.constantFrom(
    '%',
    '%zz',
    '%00',
    '%ff',
    '%2e%2e',
    '..%2f..%2fetc%2fpasswd',
    '.',
    '..',
    '.json',
    '.xml',
    '*',
    ':id',
    '[object Object]',
  ),
  fc.constantFrom(...names),
  fc.constantFrom(100, 201, 5000, 20_000).map((length) => 'a'.repeat(length)),
  fc.constantFrom(23, 24, 25).map((length) => 'F0'.repeat(13).slice(0, length)),
  shortText.map(encoded),
  fc.string({ unit: 'binary', maxLength: 30 }).map((value) => value.replace(/[\s#?]/g, '')),
)

export { deep, encoded, names, shortText, text }
