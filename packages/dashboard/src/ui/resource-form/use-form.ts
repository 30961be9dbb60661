import { type Field, type Resource, writableFields } from '@zoetrope/contract'
import type { Words } from '@zoetrope/contract/words/field-words'
import { ZoetropeError } from '@zoetrope/sdk'
import { useMemo, useState } from 'react'
import { withLabels } from '../field-words.js'
import { problemOf } from './problems.js'
import { changesBetween, given, type Values, valuesIn, valuesOf } from './values.js'

type Problems = Readonly<Record<string, string | undefined>>

export interface FormState {
  readonly values: Values
  readonly changes: Values
  /** The values that the changed fields had when the user began to change them. */
  readonly base: Values
  readonly isDirty: boolean
  /** The problems of fields that the user has changed, or of all fields after an attempt to save. */
  readonly problems: Problems
  set(name: string, value: unknown): void
  reset(): void
  /** Returns whether the form is valid. If not, all problems are shown. */
  check(): boolean
  /** Assigns the server's errors to their fields. */
  takeError(error: unknown): void
}

/** The state of a form: the record's values and the unsaved changes. */
export function useForm(
  resource: Resource,
  words: Words,
  record: Values | undefined,
  starting?: Values,
): FormState {
  const fields = useMemo(() => writableFields(resource), [resource])
  const before = useMemo(
    () => ({ ...valuesOf(fields, record), ...(record ? {} : starting) }),
    [fields, record, starting],
  )
  const [changed, setChanged] = useState<Values>(starting ?? {})
  const [base, setBase] = useState<Values>({})
  const [said, setSaid] = useState<Problems>({})
  const [isAsked, setIsAsked] = useState(false)
  const values = { ...before, ...changed }
  const changes = record ? changesBetween(before, values) : given({ ...starting, ...changed })
  const found = (onlyTouched: boolean) =>
    problemsOf(fields, values, record === undefined, onlyTouched ? changed : values)
  return {
    values,
    changes,
    base,
    isDirty: Object.keys(changesBetween(before, values)).length > 0,
    problems: { ...said, ...found(!isAsked) },
    set(name, value) {
      setBase((old) => ({ ...valuesIn(resource, record ?? {}, [name]), ...old }))
      setChanged((old) => ({ ...old, [name]: value }))
      setSaid((old) => ({ ...old, [name]: undefined }))
    },
    reset() {
      setChanged({})
      setBase({})
      setSaid({})
      setIsAsked(false)
    },
    check() {
      setIsAsked(true)
      return Object.keys(found(false)).length === 0
    },
    takeError(error) {
      if (!(error instanceof ZoetropeError)) return
      const entries = Object.entries(error.errors).map(([name, sentences]) => {
        const sentence = sentences.join(' ')
        return [fieldOf(fields, name, sentence), withLabels(sentence, words)] as const
      })
      setSaid(Object.fromEntries(entries))
    },
  }
}

/** The field that an error is about: the one with the same name, or else the first field named in the message. */
function fieldOf(fields: readonly (readonly [string, Field])[], name: string, sentence: string): string {
  const isField = (word: string) => fields.some(([field]) => field === word)
  if (isField(name)) return name
  return sentence.match(/[a-z]+(_[a-z]+)+/g)?.find(isField) ?? name
}

function problemsOf(
  fields: readonly (readonly [string, Field])[],
  values: Values,
  isNew: boolean,
  among: Values,
): Problems {
  const entries = fields
    .filter(([name]) => name in among)
    .map(([name, field]) => [name, problemOf(field, values[name], isNew, values)] as const)
    .filter(([, problem]) => problem !== undefined)
  return Object.fromEntries(entries)
}
