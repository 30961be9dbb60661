import type { Sealer } from '../lib/sealing.js'
import { PageError } from './page-error.js'

/** The purpose of a hidden field: a field made for one form cannot be used in another. */
type FieldPurpose =
  | 'authorize'
  | 'link sign-in'
  | 'link approval'
  | 'forgotten password'
  | 'confirmation mail'

const lifetimeMs = 600_000
const longest = 32_768
/** The sealer adds an initialisation vector and a tag to a text that is never empty. */
const fewestBytes = 29

/** A hidden field that carries values from one form to the next. Only this server can write or read it. */
export const sealField = (sealer: Sealer, purpose: FieldPurpose, values: object, now = Date.now()): string =>
  sealer.seal(JSON.stringify({ purpose, until: now + lifetimeMs, values })).toString('base64url')

/** The values of such a field. Throws a page for the viewer if it expired or was not made by us. */
export function openField<Values>(
  sealer: Sealer,
  purpose: FieldPurpose,
  text: string | undefined,
  now = Date.now(),
): Values {
  const sealed = readSealed(sealer, text)
  if (sealed?.purpose !== purpose)
    throw new PageError(422, 'This page does not work', 'Go back to where you started and try again.')
  if (now > sealed.until)
    throw new PageError(
      422,
      'This page was open for too long',
      'For your safety it works for ten minutes. Go back to where you started and try again.',
    )
  return sealed.values as Values
}

interface Sealed {
  readonly purpose: string
  readonly until: number
  readonly values: unknown
}

function readSealed(sealer: Sealer, text = ''): Sealed | undefined {
  if (text.length > longest) return undefined
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < fewestBytes) return undefined
  try {
    return JSON.parse(sealer.unseal(bytes))
  } catch {
    return undefined
  }
}
