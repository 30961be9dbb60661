import type { Db } from '../../db/database.js'
import { wordsIn } from './highlight.js'

/** Videos whose words are learned before a correction. More are left to the job. */
const learnedAtOnce = 50
const shortest = 4
const mostCorrected = 8
const mostChoices = 3

interface TypedWord {
  readonly word: string
  readonly is_known: boolean
  /** Known words that resemble it, the most similar first. */
  readonly similar: readonly string[]
}

/** Looks up the words among those of the channel. The words of its new videos are learned first. */
async function lookUp(db: Db, siteId: string, words: readonly string[]): Promise<TypedWord[]> {
  // A search does not fail because of what it could learn.
  await db`select learn_words(${learnedAtOnce}, ${siteId})`.catch(() => {})
  const swapped = await db<{ word: string }[]>`
    select word from known_words where site_id = ${siteId} and word = any(${words.flatMap(swappedForms)})
  `
  const known = new Set(swapped.map(({ word }) => word))
  const typed = await db<TypedWord[]>`
    select typed.word, exists (
      select from known_words where site_id = ${siteId}
        and (known_words.word = typed.word or (place = ${words.length} and known_words.word like typed.word || '%'))
    ) as is_known, array(
      select known_words.word from known_words
      where site_id = ${siteId} and length(typed.word) >= ${shortest} and known_words.word % typed.word
      order by similarity(known_words.word, typed.word) desc, known_words.word limit 10
    ) as similar
    from unnest(${words}::text[]) with ordinality as typed (word, place) order by place
  `
  return typed.map(({ word, is_known, similar }) => {
    const swaps = swappedForms(word).filter((form) => known.has(form))
    return { word, is_known, similar: [...new Set([...swaps, ...similar])] }
  })
}

/** The word with two neighbouring letters swapped. Such words share few trigrams with it, if they are short. */
function swappedForms(word: string): string[] {
  const letters = [...word]
  if (letters.length < shortest) return []
  return letters.slice(1).map((letter, index) =>
    letters
      .with(index, letter)
      .with(index + 1, letters[index] ?? '')
      .join(''),
  )
}

/** Other words for a search of one word, known or not, that differ from it in one letter. */
export async function suggestWords(db: Db, siteId: string, text: string): Promise<string[]> {
  const words = wordsIn(text)
  if (words.length !== 1) return []
  const [typed] = await lookUp(db, siteId, words)
  return typed ? typed.similar.filter((other) => distance(typed.word, other) === 1).slice(0, mostChoices) : []
}

/** The text with its unknown words replaced by known ones, best first. Empty if there is nothing to correct. */
export async function correctWords(db: Db, siteId: string, text: string): Promise<string[]> {
  const words = wordsIn(text)
  if (words.length > mostCorrected) return []
  const typed = await lookUp(db, siteId, words)
  const choices = typed.map(({ word, is_known, similar }, index) =>
    is_known ? [] : closest(word, similar, index === typed.length - 1),
  )
  const corrected = choices.filter((each) => each.length > 0)
  if (corrected.length === 0) return []
  const count = Math.min(mostChoices, Math.max(...corrected.map((each) => each.length)))
  return Array.from({ length: count }, (_, attempt) =>
    typed
      .map(({ word }, index) => choices[index]?.[Math.min(attempt, choices[index].length - 1)] ?? word)
      .join(' '),
  )
}

/** The words that differ from the typed one in the fewest letters, up to two. */
function closest(word: string, similar: readonly string[], isLast: boolean): string[] {
  const most = word.length <= 4 ? 1 : 2
  return similar
    .map((other) => ({ other, distance: isLast ? distanceToPrefix(word, other) : distance(word, other) }))
    .filter((each) => each.distance <= most)
    .sort((one, another) => one.distance - another.distance)
    .map(({ other }) => other)
}

/** The last word may be incomplete. Leaving out the end of a known word costs a little, so that complete words win. */
const distanceToPrefix = (word: string, other: string): number =>
  Math.min(
    distance(word, other),
    ...[-1, 0, 1].map((more) => distance(word, other.slice(0, word.length + more)) + 0.5),
  )

/** The number of letters to insert, delete, replace, or swap with their neighbour. */
export function distance(one: string, other: string): number {
  const [a, b] = [[...one], [...other]]
  const rows: number[][] = []
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  const least = (row: number, column: number): number => {
    if (row === 0 || column === 0) return row + column
    const isSame = a[row - 1] === b[column - 1]
    const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
    return Math.min(
      at(row - 1, column - 1) + (isSame ? 0 : 1),
      at(row - 1, column) + 1,
      at(row, column - 1) + 1,
      isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
    )
  }
  for (let row = 0; row <= a.length; row += 1) {
    const next: number[] = []
    rows.push(next)
    for (let column = 0; column <= b.length; column += 1) next.push(least(row, column))
  }
  return at(a.length, b.length)
}
