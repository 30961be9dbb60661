import type { Field } from '@zoetrope/contract'

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** The code for a language that nobody has named. */
export const undetermined = 'und'

/** The English name of a language code, if the code exists. */
export const languageName = (code: string): string | undefined =>
  names.of(code) ?? (code === undetermined ? 'Unknown language' : undefined)

const letters = [...'abcdefghijklmnopqrstuvwxyz']
const shortCodes = letters.flatMap((first) => letters.map((second) => first + second))
/** Languages beyond ISO 639-1, and regional ones, that have their own English name. */
const otherCodes = [
  ...['fil', 'haw', 'yue', 'en-AU', 'en-CA', 'en-GB', 'en-US', 'es-419', 'es-ES', 'es-MX', 'fr-CA', 'fr-CH'],
  ...['de-AT', 'de-CH', 'nl-BE', 'pt-BR', 'pt-PT', 'zh-Hans', 'zh-Hant'],
]

const named = [...shortCodes, ...otherCodes].flatMap((code) => {
  const name = canonicalCode(code) === code ? languageName(code) : undefined
  return name === undefined ? [] : [[name, code] as const]
})
const codesByName = new Map(named.map(([name, code]) => [name.toLowerCase(), code]))

/** The English names that are understood. */
export const languageNames = named.map(([name]) => name)

/**
 * The BCP 47 code of a language, from its English name or any spelling of its code: pt_br becomes pt-BR, eng
 * becomes en.
 */
export function languageCode(given: string): string | undefined {
  const text = given.trim()
  const named = codesByName.get(text.toLowerCase())
  if (named !== undefined) return named
  const code = canonicalCode(text.replaceAll('_', '-'))
  return code !== undefined && languageName(code) !== undefined ? code : undefined
}

function canonicalCode(code: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(code)[0]
  } catch {
    return undefined
  }
}

export const isLanguage = (field: Field): boolean => field.kind === 'text' && field.format === 'language'

/** ISO 639-2 codes that are not languages: undetermined, uncoded, multiple, none. */
const noLanguages = ['und', 'mis', 'mul', 'zxx']

/** The language a media file declares with an ISO 639 or BCP 47 code, if any. */
export function languageInFile(given: string | undefined): string | undefined {
  const code = given === undefined ? undefined : languageCode(given)
  return code === undefined || noLanguages.includes(code.split('-')[0] ?? '') ? undefined : code
}
