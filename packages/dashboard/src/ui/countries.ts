import { countryOf, englishCountry } from './numbers.js'

export interface Country {
  readonly code: string
  /** Its name in the language of the browser, and in English. */
  readonly name: string
  readonly english: string
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Codes that browsers name, although they are no countries: unions, islands that belong to one, and test codes. */
const otherCodes = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '))

let all: readonly Country[] | undefined

/** All countries by name. */
export function allCountries(): readonly Country[] {
  all ??= letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((code) => {
      const english = otherCodes.has(code) ? undefined : englishCountry(code)
      return english === undefined ? [] : [{ code, name: countryOf(code), english }]
    })
    .sort((a, b) => a.name.localeCompare(b.name))
  return all
}

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The codes of the countries that a search finds: by code, by the beginning of a name, then by any part of one. */
export function findCountries(search: string): readonly string[] {
  const text = folded(search.trim())
  const rank = ({ code, name, english }: Country) => {
    const names = [folded(name), folded(english)]
    if (code.toLowerCase() === text || names.includes(text)) return 0
    if (names.some((each) => each.startsWith(text))) return 1
    return names.some((each) => each.includes(text)) ? 2 : 3
  }
  const ranked = allCountries().map((country) => ({ code: country.code, at: rank(country) }))
  return [0, 1, 2].flatMap((at) => ranked.filter((each) => each.at === at).map(({ code }) => code))
}
