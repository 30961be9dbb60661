import type { TimeZone } from '../../lib/time-zone.js'
import { childrenOf } from '../../lib/xml-document.js'
import type { XmlElement } from '../../lib/xml-reader.js'
import { FetchRefused } from '../fetch-error.js'

/** One programme of a channel. */
export interface Programme {
  readonly title: string
  readonly subtitle: string | null
  readonly description: string | null
  readonly category: readonly string[]
  readonly start: number
  readonly end: number
}

export interface ProgrammeFilter {
  readonly channel: string | null
  readonly languages: readonly string[]
  readonly zone: TimeZone
}

/** The programmes of one channel of an XMLTV file, in order of time. Ignores those without a title or a time. */
export function readProgrammes(root: XmlElement, wanted: ProgrammeFilter): Programme[] {
  if (root.name !== 'tv')
    throw new FetchRefused(
      `This is not an XMLTV file: its root element is ${root.name.slice(0, 100)}, not tv.`,
    )
  const all = childrenOf(root, 'programme')
  const channel = wanted.channel ?? all[0]?.attributes.channel
  const ours = all.filter(({ attributes }) => attributes.channel === channel)
  if (wanted.channel !== null && ours.length === 0) throw new FetchRefused(noSuchChannel(wanted.channel, all))
  const begun = ours
    .map((element) => ({ element, start: momentIn(element.attributes.start, wanted.zone) }))
    .filter((each): each is Begun => each.start !== undefined)
    .sort((one, other) => one.start - other.start)
  return begun
    .filter(({ start }, index) => start !== begun[index - 1]?.start)
    .flatMap((each, index, kept) => programmeOf(each, kept[index + 1]?.start, wanted) ?? [])
}

interface Begun {
  readonly element: XmlElement
  readonly start: number
}

function noSuchChannel(channel: string, all: readonly XmlElement[]): string {
  const known = [...new Set(all.map(({ attributes }) => attributes.channel ?? ''))].slice(0, 10)
  return `The file has no programmes of the channel ${channel}. It has: ${known.join(', ') || 'none'}.`
}

function programmeOf(
  { element, start }: Begun,
  next: number | undefined,
  wanted: ProgrammeFilter,
): Programme | undefined {
  const text = (name: string, longest: number) =>
    bestOf(childrenOf(element, name), wanted.languages)?.slice(0, longest).toWellFormed() || null
  const title = text('title', 500)
  const end = momentIn(element.attributes.stop, wanted.zone) ?? next
  if (title === null || end === undefined || end <= start || end - start > longestMs) return undefined
  const categories = childrenOf(element, 'category').map((each) => each.text.slice(0, 255).toWellFormed())
  return {
    title,
    subtitle: text('sub-title', 500),
    description: text('desc', 50_000),
    category: [...new Set(categories)].filter((each) => each !== '').slice(0, 20),
    start,
    end,
  }
}

const longestMs = 7 * 24 * 3600 * 1000

/** The text in the first available language of the list, or else the first text. */
function bestOf(texts: readonly XmlElement[], languages: readonly string[]): string | undefined {
  const main = (language: string) => language.toLowerCase().split(/[-_]/)[0]
  for (const language of languages) {
    const found = texts.find(({ attributes }) => main(attributes.lang ?? '') === main(language))
    if (found) return found.text
  }
  return texts[0]?.text
}

/** 20261115203000 +0100, or a prefix of it. A time without an offset from UTC is in the zone. */
function momentIn(text: string | undefined, zone: TimeZone): number | undefined {
  const match =
    /^(\d{4})(\d\d)(\d\d)(\d\d)?(\d\d)?(\d\d)?\s*(?:([+-])(\d\d):?(\d\d)|(UTC|GMT|Z)|[A-Z]{1,5})?$/i.exec(
      text?.trim() ?? '',
    )
  if (!match) return undefined
  const [year = 0, month = 1, day = 1, hour, minute, second] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const shown = Date.UTC(year, month - 1, day, hour, minute, second)
  if (new Date(shown).getUTCDate() !== day) return undefined
  const [, , , , , , , sign, hours, minutes, universal] = match
  if (universal) return shown
  if (!sign) return zone.momentOf(shown)
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  return sign === '-' ? shown + offset : shown - offset
}
