import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { wordsFor } from '../field-words.js'
import { labelOf } from '../labels.js'
import { inList } from '../numbers.js'
import { type ActivityEvent, changedFields, kindOf, nounOf, verbOf } from './event-kinds.js'
import { strings } from './strings.js'

const mostNamed = 3
/** The fields that name a record, the best first. */
const titles = ['title', 'name', 'email', 'filename', 'file_name', 'code', 'description', 'language', 'url']
/** Records that are people, named by their address alone. */
const people = ['invitation', 'member']
const publishable = ['video', 'playlist', 'zobject']

const textIn = (record: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined => {
  const name = names.find((each) => typeof record[each] === 'string' && record[each] !== '')
  return name && String(record[name])
}

const lookUp = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** What a kind of record is called, by the first part of the type of its events. */
export const nounFor = (noun: string): string => lookUp(strings.nouns, noun) ?? labelOf(noun).toLowerCase()

export const titleOf = ({ data }: ActivityEvent): string | undefined => textIn(data, titles)

/** The record of an event in words: video “The Horse in Motion”. */
export function recordWords(event: ActivityEvent): string {
  const noun = nounOf(event)
  const title = titleOf(event)
  const isPlain = (strings.plainNouns as readonly string[]).includes(noun)
  if (title !== undefined) return people.includes(noun) ? title : strings.named(nounFor(noun), title)
  return isPlain ? nounFor(noun) : strings.unnamed(nounFor(noun))
}

export const keyWords = (name: string): string => strings.aKey(name)

/** Who did it: the name of a person or of a key, or a kind of caller. */
export function actorWords({ actor }: Pick<ActivityEvent, 'actor'>): string {
  const kind = String(actor.kind)
  if (typeof actor.name !== 'string') return lookUp(strings.actors, kind) ?? strings.someone
  return kind === 'named' ? keyWords(actor.name) : actor.name
}

function templateOf(event: ActivityEvent): string {
  const verb = verbOf(event)
  const special = lookUp(strings.special, event.type)
  if (special) return special
  return verb === 'updated'
    ? updateTemplate(event)
    : (lookUp(strings.sentences, verb) ?? `{who}: ${event.type}`)
}

function updateTemplate(event: ActivityEvent): string {
  const fields = changedFields(event)
  const [first] = fields
  if (fields.length === 1 && (first === 'title' || first === 'name')) return strings.renamed
  if (fields.length === 1 && first === 'active' && publishable.includes(nounOf(event)))
    return event.data.active === true ? strings.published : strings.unpublished
  if (fields.length === 0) return strings.sentences.updated
  if (fields.length === 1 && first === 'file' && nounOf(event) === 'subtitle') return strings.changedLines
  return fields.length <= mostNamed ? strings.changedOne : strings.changedMany(fields.length)
}

/** The parts of a sentence that are not the record itself. */
function partsOf(
  event: ActivityEvent,
  members: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const { labels } = kindOf(event)
  const old = event.previous.title ?? event.previous.name
  return {
    who: actorWords(event),
    old: strings.quoted(String(old ?? '')),
    fields: inList(changedFields(event).map((name) => strings.quoted(wordsFor(labels, name).label))),
    kind: lookUp(strings.keyNames, String(event.data.kind)) ?? '',
    member: members.get(event.record_id ?? '') ?? strings.someone,
  }
}

export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The record as a part of its sentence. At the beginning it has a capital letter, unless it is an e-mail address. */
function whatIn(template: string, event: ActivityEvent): string {
  const words = recordWords(event)
  return template.startsWith('{what}') && !people.includes(nounOf(event)) ? capitalised(words) : words
}

/** The sentence as plain text, for labels. */
export function sentenceText(event: ActivityEvent, members: ReadonlyMap<string, string>): string {
  const template = templateOf(event)
  const parts: Readonly<Record<string, string>> = {
    ...partsOf(event, members),
    what: whatIn(template, event),
  }
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '')
}

interface SentenceProps {
  readonly event: ActivityEvent
  /** The names of team members, by id. */
  readonly members: ReadonlyMap<string, string>
  /** The page of the record; undefined if there is none. */
  readonly to: string | undefined
}

/** What happened, with a link to the record. */
export function Sentence({ event, members, to }: SentenceProps) {
  const template = templateOf(event)
  const parts = partsOf(event, members)
  const show = (name: string): ReactNode => {
    const words = name === 'what' ? whatIn(template, event) : parts[name]
    if (name !== 'what') return name === 'who' || name === 'member' ? <strong>{words}</strong> : words
    return to ? (
      <Anchor component={Link} to={to} inherit underline="always">
        {words}
      </Anchor>
    ) : (
      words
    )
  }
  // Every second part is the name of a placeholder.
  return template.split(/\{(\w+)\}/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
    <Fragment key={index}>{index % 2 === 0 ? part : show(part)}</Fragment>
  ))
}
