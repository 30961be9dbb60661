import type { Catalog, Resource } from '@zoetrope/contract'
import type { FieldWords, Words } from '@zoetrope/contract/words/field-words'
import type { ComponentType } from 'react'
import type { Plain } from '../../data/plain.js'
import type { IconName } from '../icons.js'
import type { FieldGroup } from '../resource-form/form-groups.js'
import type { InputProps } from '../resource-form/input-props.js'
import type { Column } from '../resource-table/heading.js'

/** How a resource is shown on its two pages: the list, and one record. */
export interface RecordKind<Name extends string = string> {
  readonly name: keyof Catalog
  readonly resource: Resource
  /** The texts of its fields. */
  readonly words: Words & Readonly<Record<Name, FieldWords>>
  /** The path of the list. Records are below it, and `new` is the form for a new one. */
  readonly path: string
  readonly icon: IconName
  readonly strings: RecordStrings
  readonly titleOf: (record: Plain) => string
  readonly columns: readonly (string | Column<Plain>)[]
  readonly filters?: readonly string[]
  /** Sent with every list. */
  readonly base?: Readonly<Record<string, unknown>>
  /** Sent with every call about one record. */
  readonly beside?: Readonly<Record<string, unknown>>
  readonly groups?: readonly FieldGroup<Name>[]
  /** The texts of fields that mean something else for a new record. */
  readonly newWords?: Words
  /** The initial values of a new record. */
  readonly starting?: Readonly<Record<string, unknown>>
  readonly inputs?: Readonly<Record<string, ComponentType<InputProps>>>
}

export interface RecordStrings {
  readonly title: string
  readonly about?: string
  readonly create: string
  readonly empty: string
  readonly emptyAbout: string
}
