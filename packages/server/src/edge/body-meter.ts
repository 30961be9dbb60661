import { limits } from '@zoetrope/contract'
import { type ApiError, invalid } from '../errors.js'

/** Measures a body while it arrives; throws as soon as it would take too much memory when parsed. */
export type BodyMeter = (piece: Uint8Array) => void

const mostNodes = limits.body_nodes.value
/** The envelope, the wrapper and the field stand around what a field holds. */
const deepest = limits.depth.value + 3

const quote = 0x22
const backslash = 0x5c
/** What a byte outside of a string means: nothing, the next value, a beginning, an end, or a string. */
const meanings = { next: 1, opens: 2, closes: 3, string: 4 } as const
const meaningOf = new Uint8Array(256)
for (const [character, meaning] of [
  [',', meanings.next],
  ['[', meanings.opens],
  ['{', meanings.opens],
  [']', meanings.closes],
  ['}', meanings.closes],
  ['"', meanings.string],
] as const)
  meaningOf[character.charCodeAt(0)] = meaning

/** The index of the quote that ends a string; beyond the end of the piece if the last byte escapes the next. */
function endOfString(piece: Uint8Array, begin: number): number {
  let at = begin
  while (at < piece.length && piece[at] !== quote) at += piece[at] === backslash ? 2 : 1
  return at
}

/** Counts values, and how deep they nest. */
function countValues(): (meaning: number) => void {
  let nodes = 1
  let depth = 0
  return (meaning) => {
    if (meaning === meanings.closes) {
      depth -= 1
      return
    }
    nodes += 1
    if (meaning === meanings.opens) depth += 1
    if (depth > deepest) throw invalid(`JSON may nest at most ${limits.depth.value} deep.`)
    if (nodes > mostNodes) throw tooComplex('The JSON', 'values, lists and groups')
  }
}

/**
 * Counts the values of JSON and their depth: `JSON.parse` cannot be interrupted, and objects such as `[{},{},…]` take many
 * times the memory of their text. It does not check whether the text is JSON.
 */
export function jsonMeter(): BodyMeter {
  const count = countValues()
  let isInString = false
  let isEscaped = false

  /** The index after the string that began in this piece or in an earlier one, or the end of the piece. */
  const skipString = (piece: Uint8Array, begin: number): number => {
    const end = endOfString(piece, isEscaped ? begin + 1 : begin)
    isInString = end >= piece.length
    isEscaped = end > piece.length
    return end + 1
  }
  return (piece) => {
    let at = isInString ? skipString(piece, 0) : 0
    while (at < piece.length) {
      const meaning = meaningOf[piece[at] as number] as number
      at += 1
      if (meaning === meanings.string) at = skipString(piece, at)
      else if (meaning !== 0) count(meaning)
    }
  }
}

/** Counts tags (two for each element), comments, sections and references. Attributes are counted when they are parsed. */
export function xmlMeter(): BodyMeter {
  const countTags = countingMeter('<', 3 * mostNodes, () => tooComplex('The XML', 'elements and attributes'))
  const countReferences = countingMeter('&', 3 * mostNodes, () =>
    tooComplex('The XML', 'references', 3 * mostNodes),
  )
  return (piece) => {
    countTags(piece)
    countReferences(piece)
  }
}

/** Counts separators. Empty parameters, as in `a=1&&b=2`, are not parameters later, hence twice the limit. */
export const formMeter = (): BodyMeter => countingMeter('&', 2 * limits.parameters.value, tooManyParameters)

export const tooManyParameters = (): ApiError =>
  invalid(`A request takes at most ${limits.parameters.value} parameters.`)

const tooComplex = (what: string, things: string, most: number = mostNodes): ApiError =>
  invalid(`${what} has more than ${most.toLocaleString('en')} ${things}. Send less at a time.`)

function countingMeter(character: string, most: number, refusal: () => ApiError): BodyMeter {
  const byte = character.charCodeAt(0)
  let count = 0
  return (piece) => {
    for (let at = piece.indexOf(byte); at >= 0; at = piece.indexOf(byte, at + 1)) {
      count += 1
      if (count > most) throw refusal()
    }
  }
}
