import { invalid } from '../../errors.js'

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** The code of a language as BCP 47 writes it: pt_br is pt-BR, eng is en. */
export function readLanguage(given: string, what = 'subtitle'): string {
  const code = canonical(given.trim().replaceAll('_', '-'))
  if (code !== undefined && nameOf(code) !== undefined) return code
  const why = 'must be the code of a language, such as en, de or pt-BR'
  throw invalid(`Could not save ${what}: language ${why}.`, { language: [why] })
}

function canonical(code: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(code)[0]
  } catch {
    return undefined
  }
}

const nameOf = (code: string): string | undefined => names.of(code)

const letters = [...'abcdefghijklmnopqrstuvwxyz']

/** The languages of ISO 639-1 that have a name. */
const codesByName = new Map(
  letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((code) => {
      const name = canonical(code) === code ? nameOf(code) : undefined
      return name === undefined ? [] : [[name.toLowerCase(), code]]
    }),
)

/** The code of a language by its English name, in capitals or not. */
export const codeOfName = (name: string): string | undefined => codesByName.get(name.toLowerCase())

/** What a subtitle is called when nobody says. */
export function usualTitle(language: string, forced: boolean): string {
  const name = (nameOf(language) ?? language).slice(0, 80)
  return forced ? `${name} (forced)` : name
}
