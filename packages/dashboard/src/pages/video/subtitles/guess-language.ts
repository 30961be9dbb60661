import { languageCode } from '../../../ui/languages.js'
import { scriptOf } from '../../../ui/numbers.js'

export interface GuessedSubtitle {
  readonly language: string | undefined
  readonly isForced: boolean
  /** For deaf and hard-of-hearing viewers. */
  readonly isForDeaf: boolean
}

const withoutEnding = /\.(srt|vtt|txt|sub)$/i
const region = /^([a-z]{2}|[a-z]{4}|\d{3})$/i

/** Finds the language in a file name such as film.en.srt, film_pt-BR.vtt or film.de.forced.srt. */
export function guessFromName(name: string): GuessedSubtitle {
  const parts = name
    .replace(withoutEnding, '')
    .split(/[._()[\]-]+/)
    .filter(Boolean)
  let isForced = false
  let isForDeaf = false
  for (;;) {
    const last = parts.at(-1)?.trim().toLowerCase() ?? ''
    // Without a language before it, `hi` is Hindi.
    const isHearing = last === 'hi' && knownCode(parts.at(-2)) !== undefined
    if (last === 'forced') isForced = true
    else if (last === 'sdh' || last === 'cc' || isHearing) isForDeaf = true
    else if (last !== 'default') break
    parts.pop()
  }
  return { language: languageIn(parts), isForced, isForDeaf }
}

function languageIn(parts: readonly string[]): string | undefined {
  const [before, last] = [parts.at(-2), parts.at(-1)]
  const regional = last && region.test(last) ? knownCode(before, last) : undefined
  return regional ?? knownCode(last)
}

/** After a space, only the name of a language counts: `it` or `no` may be a word of the title. */
function knownCode(part: string | undefined, place?: string): string | undefined {
  const word = part?.trim().split(/\s+/).at(-1) ?? ''
  const isShort = word.length <= 3
  if (word.length < 2 || (isShort && word !== part)) return undefined
  const code = languageCode(word)
  return code === undefined || place === undefined ? code : languageCode(`${code}-${place}`)
}

const isBare = (name: string) => /^[a-z]{2,3}$/i.test(name.replace(withoutEnding, ''))

/**
 * The language of a file, by its name or else by its text. A name such as my.srt may be a word: there the text decides if it is
 * clear, and the name counts only if the text has letters of that language.
 */
export function guessLanguage(name: string, text: string): string | undefined {
  const { language } = guessFromName(name)
  if (language === undefined) return guessFromText(text)
  if (!isBare(name)) return language
  return guessFromText(text) ?? (hasLettersOf(language, text) ? language : undefined)
}

function hasLettersOf(language: string, text: string): boolean {
  try {
    return new RegExp(`\\p{Script=${scriptOf(language)}}`, 'u').test(text)
  } catch {
    // Names for several scripts together, as in Japanese, are no names of letters.
    return true
  }
}

const scripts: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hangul}/gu, 'ko'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Thai}/gu, 'th'],
]

const commonWords: Readonly<Record<string, string>> = {
  en: 'the and you that is of to what this with have not are was for',
  de: 'und der die das ist nicht ich du sie wir ein eine was mit auf',
  fr: 'les des est pas que vous je une dans pour il elle avec ce qui',
  es: 'que los una por con para está pero las como más muy del qué',
  it: 'che non per una sono del della gli anche questo come con più',
  pt: 'que não uma para com você os as isso mais está ele ela foi',
  nl: 'het een niet dat van ik je de en is wat maar met zijn',
  sv: 'och det att jag inte en som är på för med vad han hon',
}

/** The share of the letters or words that must speak for a language. */
const enoughLetters = 0.2
const enoughWords = 0.12

/** Finds the language of a text by its script or its most common words. Returns undefined unless one is clear. */
export function guessFromText(text: string): string | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters < 40) return undefined
  const script = scripts.find(([pattern]) => (text.match(pattern)?.length ?? 0) / letters > enoughLetters)
  if (script) return script[1]
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const scores = Object.entries(commonWords)
    .map(([code, list]) => {
      const common = new Set(list.split(' '))
      return { code, share: words.filter((word) => common.has(word)).length / words.length }
    })
    .sort((a, b) => b.share - a.share)
  const [best, second] = scores
  return best && best.share > enoughWords && best.share > 1.5 * (second?.share ?? 0) ? best.code : undefined
}
