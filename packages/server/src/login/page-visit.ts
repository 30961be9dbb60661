import type { Tree } from '../api/brackets.js'
import { isStorableText } from '../lib/clean.js'
import type { Parts } from '../resources/feature.js'
import { PageError } from './page-error.js'
import type { Brand } from './pages/brand.js'

/** A request for one of the viewers' pages. */
export interface PageVisit {
  readonly parts: Parts
  readonly given: FormFields
  /** The network address of the request. */
  readonly ip: string
}

/** The fields of the address or the form. Empty fields are absent. */
export interface FormFields {
  readonly texts: Readonly<Record<string, string>>
  /** Fields that were repeated, or are not text of reasonable length. */
  readonly broken: ReadonlySet<string>
}

/** A page to show. */
export interface ShownPage {
  readonly html: string
  readonly brand?: Brand
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Where a form on the page may lead besides this server. */
  readonly formTargets?: readonly string[]
}

/** A redirect. */
export interface Redirect {
  readonly location: string
}

export type Show = (visit: PageVisit) => Promise<ShownPage | Redirect>

const longest = 4096
const longestSealed = 32_768

export function readFormFields(tree: Tree): FormFields {
  const texts: Record<string, string> = Object.create(null)
  const broken = new Set<string>()
  for (const [name, value] of Object.entries(tree)) {
    if (value === '') continue
    if (isText(name, value)) texts[name] = value
    else broken.add(name)
  }
  return { texts, broken }
}

const isText = (name: string, value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= (name === 'sealed' ? longestSealed : longest) &&
  isStorableText(value)

/** A field of a form. Refuses values that our forms never send. */
export function formText({ given }: PageVisit, name: string): string | undefined {
  if (given.broken.has(name))
    throw new PageError(422, 'This form cannot be read', 'Go back, check what you typed and try again.')
  return given.texts[name]
}

/** The path of one of our pages, as browsers reach it. */
export const pagePath = ({ loginUrl }: Pick<Parts, 'loginUrl'>, path: string): string =>
  new URL(loginUrl).pathname.replace(/\/+$/, '') + path
