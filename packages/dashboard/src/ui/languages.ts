import { canonicalLanguage, languageNames } from './numbers.js'

export interface Language {
  readonly code: string
  /** Its name in the language of the browser, in English, and in the language itself. */
  readonly name: string
  readonly english: string
  readonly native: string
}

const letters = [...'abcdefghijklmnopqrstuvwxyz']
/** Languages beyond ISO 639-1, and regional ones, that have a name of their own. The server knows the same. */
const otherCodes = [
  ...['fil', 'haw', 'yue', 'en-AU', 'en-CA', 'en-GB', 'en-US', 'es-419', 'es-ES', 'es-MX', 'fr-CA', 'fr-CH'],
  ...['de-AT', 'de-CH', 'nl-BE', 'pt-BR', 'pt-PT', 'zh-Hans', 'zh-Hant'],
]

export function languageOf(code: string): Language | undefined {
  const canonical = canonicalLanguage(code)
  const names = canonical === undefined ? undefined : languageNames(canonical)
  return canonical === undefined || names === undefined ? undefined : { code: canonical, ...names }
}

let all: readonly Language[] | undefined

/** All languages to choose from, by name. Naming them takes some time, so it is done when they are first needed. */
export function allLanguages(): readonly Language[] {
  all ??= [...letters.flatMap((first) => letters.map((second) => first + second)), ...otherCodes]
    .filter((code) => canonicalLanguage(code) === code)
    .flatMap((code) => languageOf(code) ?? [])
    .sort((a, b) => a.name.localeCompare(b.name))
  return all
}

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The code of a language by its code of two or three letters, or by its name in English or in the language itself. */
export function languageCode(given: string): string | undefined {
  const text = folded(given.trim())
  const known = canonicalLanguage(given.trim().replaceAll('_', '-'))
  const isCode = known !== undefined && (/^[a-z]{2}(-|$)/.test(known) || otherCodes.includes(known))
  if (isCode && languageNames(known)) return known
  return allLanguages().find(({ english, native }) => folded(english) === text || folded(native) === text)
    ?.code
}

/** The languages that a search finds: by code, by the beginning of a name, then by any part of one. */
export function findLanguages(search: string): readonly Language[] {
  const text = folded(search.trim())
  if (text === '') return allLanguages()
  const rank = ({ code, name, english, native }: Language) => {
    const names = [name, english, native].map(folded)
    if (code.toLowerCase() === text || names.includes(text)) return 0
    if (names.some((each) => each.startsWith(text)) || code.toLowerCase().startsWith(text)) return 1
    return names.some((each) => each.includes(text)) ? 2 : 3
  }
  const ranked = allLanguages().map((language) => ({ language, at: rank(language) }))
  return [0, 1, 2].flatMap((at) => ranked.filter((each) => each.at === at).map(({ language }) => language))
}
