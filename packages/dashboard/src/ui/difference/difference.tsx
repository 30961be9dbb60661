import { Text } from '@mantine/core'
import type { Field } from '@zoetrope/contract'
import type { Words } from '@zoetrope/contract/words/field-words'
import { optionLabel, wordsFor } from '../field-words.js'
import { clock, dateAndTime, whole } from '../numbers.js'
import { strings } from '../strings.js'
import { commonParts } from './common-parts.js'
import classes from './difference.module.css'

type Row = Readonly<Record<string, unknown>>

/** What is known about a field: its definition, and the texts of its resource. */
interface FieldFacts {
  readonly name: string
  readonly field: Field | undefined
  readonly words: Words
}

/** Formats an object of a list as one line, by field. Other objects are shown as JSON. */
const lines: Readonly<Record<string, (row: Row) => string>> = {
  categories: ({ title = '', value }) =>
    `${title}: ${Array.isArray(value) ? value.join(', ') : String(value)}`,
  segments: ({ start, description }) => `${clock(Number(start) / 1000)} ${description}`,
}

const lineOf = (name: string, item: unknown): string => {
  if (typeof item !== 'object' || item === null) return String(item)
  return lines[name]?.(item as Row) ?? JSON.stringify(item)
}

const isIdList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => typeof each === 'string' && /^[0-9a-f]{24}$/.test(each))

/** The value of a field as readable text. */
export function inWords({ name, field, words }: FieldFacts, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? strings.yes : strings.no
  if (field?.kind === 'timestamp') return dateAndTime(String(value))
  if (field?.kind === 'choice') return optionLabel(words, name, value)
  // Ids say nothing to people, but how many there are does.
  if (isIdList(value)) return whole(value.length)
  if (Array.isArray(value)) return value.map((each) => lineOf(name, each)).join('\n')
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2)
  return String(value)
}

interface DifferenceProps extends FieldFacts {
  readonly before: unknown
  readonly after: unknown
}

/** The change of one field, with its label. */
export const Difference = (props: DifferenceProps) => (
  <div className={classes.difference}>
    <Text size="sm" fw={500}>
      {wordsFor(props.words, props.name).label}
    </Text>
    <ChangeText {...props} />
  </div>
)

/** The change of one field: what was removed, and what was added. */
export function ChangeText({ before, after, ...facts }: DifferenceProps) {
  const [was, is] = [inWords(facts, before), inWords(facts, after)]
  const [head, tail] = commonParts(was, is)
  const middle = (text: string) => shortened(text.slice(head, text.length - tail), longest)
  const start = shortened(was.slice(0, head), -edge)
  const end = shortened(was.slice(was.length - tail), edge)
  return (
    <Text size="sm" component="span" display="block" className={classes.change}>
      {start}
      {middle(was) !== '' && <del>{middle(was)}</del>}
      {middle(was) !== '' && middle(is) !== '' && ' → '}
      {middle(is) !== '' && <ins>{middle(is)}</ins>}
      {is === '' && after !== undefined && <ins>{strings.emptied}</ins>}
      {end}
    </Text>
  )
}

const edge = 60
const longest = 400

/** Shortens a text to its beginning, or to its end if the length is negative. */
function shortened(text: string, length: number): string {
  if (text.length <= Math.abs(length)) return text
  return length < 0 ? `…${text.slice(length)}` : `${text.slice(0, length)}…`
}
