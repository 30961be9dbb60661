import { Text } from '@mantine/core'
import { catalog, type Field } from '@zoetrope/contract'
import { videoWords } from '@zoetrope/contract/words/videos'
import { wordsFor } from '../../ui/field-words.js'
import { clock, dateAndTime } from '../../ui/numbers.js'
import { strings } from './strings.js'
import classes from './video.module.css'

type Row = Readonly<Record<string, unknown>>

const fields: Readonly<Record<string, Field>> = catalog.videos.fields

/** Formats an object of a list as one line, by field. */
const lines: Readonly<Record<string, (row: Row) => string>> = {
  categories: ({ title, value }) => `${title}: ${(value as readonly string[]).join(', ')}`,
  segments: ({ start, description }) => `${clock(Number(start) / 1000)} ${description}`,
}

/** The value of a field as readable text. */
function inWords(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? strings.yes : strings.no
  if (fields[name]?.kind === 'timestamp') return dateAndTime(String(value))
  if (Array.isArray(value)) return value.map((each) => lines[name]?.(each as Row) ?? String(each)).join('\n')
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2)
  return String(value)
}

/** The lengths of the common beginning and end of two texts, in whole words. */
function common(a: string, b: string): readonly [number, number] {
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1
  while (head > 0 && /\S/.test(a[head - 1] ?? '') && (head < a.length || head < b.length)) head -= 1
  let tail = 0
  const most = Math.min(a.length, b.length) - head
  while (tail < most && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1
  while (tail > 0 && /\S/.test(a[a.length - tail] ?? '')) tail -= 1
  return [head, tail]
}

interface DifferenceProps {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

/** The change of one field. */
export function Difference({ name, before, after }: DifferenceProps) {
  const [was, is] = [inWords(name, before), inWords(name, after)]
  const [head, tail] = common(was, is)
  const middle = (text: string) => text.slice(head, text.length - tail)
  const start = shortened(was.slice(0, head), -edge)
  const end = shortened(was.slice(was.length - tail), edge)
  return (
    <div className={classes.difference}>
      <Text size="sm" fw={500}>
        {wordsFor(videoWords, name).label}
      </Text>
      <Text size="sm" component="div" className={classes.change}>
        {start}
        {middle(was) !== '' && <del>{middle(was)}</del>}
        {middle(was) !== '' && middle(is) !== '' && ' '}
        {middle(is) !== '' && <ins>{middle(is)}</ins>}
        {is === '' && <ins>{strings.history.emptied}</ins>}
        {end}
      </Text>
    </div>
  )
}

const edge = 60

/** Shortens a text to its beginning, or to its end if the length is negative. */
function shortened(text: string, length: number): string {
  if (text.length <= Math.abs(length)) return text
  return length < 0 ? `…${text.slice(length)}` : `${text.slice(0, length)}…`
}
