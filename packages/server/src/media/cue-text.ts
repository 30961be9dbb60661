/**
 * Sanitises the text of a cue: keeps and closes WebVTT tags that only style, removes other programs' styling
 * tags, and treats everything else as text.
 */

const kept = new Set(['b', 'i', 'u', 'c', 'v', 'lang', 'ruby', 'rt'])
const sameAs: Readonly<Record<string, string>> = { strong: 'b', em: 'i' }
const forLooks = new Set(['font', 'span', 's', 'strike', 'small', 'big', 'center', 'p', 'div'])

/** No longer than a name or two: anything longer is text with a bracket in it. */
const tag = /<(\/?)([a-zA-Z]{1,10})((?:\.[\w-]{1,40}){0,8})((?:[ \t/][^<>]{0,200})?)>|<\d[\d:.]{4,19}>/g
const language = /^[a-zA-Z]{2,8}(?:-[a-zA-Z0-9]{1,8})*$/

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', lrm: '\u200e', rlm: '\u200f' },
}

/** Text escaped for WebVTT, whether or not it was already escaped. */
const escaped = (text: string) => decoded(text).replace(/[&<>]/g, (sign) => escapes[sign] ?? sign)

const decoded = (text: string) =>
  text.replace(/&(?:([a-z]{2,4})|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (whole, name, decimal, digits) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(digits, 16) : Number(decimal)
    const isText = code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isText ? String.fromCodePoint(code) : ''
  })

// biome-ignore lint/suspicious/noControlCharactersInRegex: leaving them out is the point
const control = /[\u0001-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/g

/** The lines of a cue, without empty ones: an empty line would end it. */
export function cleanCueText(given: string): string {
  const open: string[] = []
  const text = given.replace(control, '')
  let clean = ''
  let from = 0
  for (const found of text.matchAll(tag)) {
    clean += escaped(text.slice(from, found.index)) + cleanTag(found, open)
    from = found.index + found[0].length
  }
  clean += escaped(text.slice(from)) + closing(open, 0)
  return clean
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

function cleanTag([whole, slash, word, styles = '', rest = '']: RegExpExecArray, open: string[]): string {
  // A timestamp within a cue, for karaoke.
  if (word === undefined) return ''
  const lower = word.toLowerCase()
  if (lower === 'br') return '\n'
  if (forLooks.has(lower) || rest.endsWith('/')) return ''
  const name = sameAs[lower] ?? lower
  if (!kept.has(name)) return escaped(whole)
  if (slash) return close(name, open)
  if (name === 'rt' && !open.includes('ruby')) return ''
  open.push(name)
  return `<${name}${styles}${annotation(name, rest.trim())}>`
}

function annotation(name: string, rest: string): string {
  if (name === 'v') return rest === '' ? '' : ` ${escaped(rest.replaceAll('\n', ' '))}`
  return name === 'lang' && language.test(rest) ? ` ${rest}` : ''
}

function close(name: string, open: string[]): string {
  const at = open.lastIndexOf(name)
  return at < 0 ? '' : closing(open, at)
}

/** Closes the open tags from an index on, the last first. */
const closing = (open: string[], at: number): string =>
  open
    .splice(at)
    .reverse()
    .map((name) => `</${name}>`)
    .join('')
