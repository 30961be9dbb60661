import type { Field } from '@zoetrope/contract'
import { bytes, decimalsOf } from '../numbers.js'
import { strings } from '../strings.js'
import type { Values } from './values.js'

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const formats: Readonly<Record<string, readonly [RegExp, string]>> = {
  url: [/^https?:\/\/\S+$/i, strings.notUrl],
  email: [/^\S+@\S+$/, strings.notEmail],
  color: [/^#[0-9a-f]{6}$/i, strings.notColor],
}

type Check<K extends Field['kind']> = (
  field: Extract<Field, { readonly kind: K }>,
  value: unknown,
  values: Values,
) => string | undefined

function ofNumber(
  { kind, min, max }: { readonly kind: string; readonly min: number; readonly max: number },
  value: unknown,
): string | undefined {
  if (typeof value !== 'number' || Number.isNaN(value) || value < min || value > max)
    return strings.between(min, max)
  return kind === 'integer' && !Number.isInteger(value) ? strings.notWhole : undefined
}

/** What is wrong with an amount, which may have as many decimals as its currency. */
export function moneyProblem(amount: string, currency = ''): string | undefined {
  if (/^[\d.,' ]+$/.test(amount) && /[,' ]/.test(amount)) return strings.moneyPoint
  const read = amount.match(/^\d{1,10}(?:\.(\d+))?$/)
  if (!read) return strings.notMoney
  const most = decimalsOf(currency)
  return (read[1] ?? '').length > most ? strings.moneyDecimals(currency, most) : undefined
}

const checks: { readonly [K in Field['kind']]?: Check<K> } = {
  text({ maxLength, format }, value) {
    const text = String(value)
    if ([...text].length > maxLength) return strings.tooLong(maxLength)
    const [pattern, problem] = formats[format ?? ''] ?? []
    return pattern && !pattern.test(text) ? problem : undefined
  },
  password({ minLength, maxLength }, value) {
    const { length } = [...String(value)]
    if (length < minLength) return strings.tooShort(minLength)
    return length > maxLength ? strings.tooLong(maxLength) : undefined
  },
  integer: ofNumber,
  number: ofNumber,
  money: (_field, value, { currency }) =>
    moneyProblem(String(value), typeof currency === 'string' ? currency : undefined),
  list: ({ maxItems }, value) =>
    Array.isArray(value) && value.length > maxItems ? strings.tooMany(maxItems) : undefined,
  map: ({ maxKeys }, value) =>
    Object.keys(value as object).length > maxKeys ? strings.tooMany(maxKeys) : undefined,
  file: ({ maxBytes }, value) =>
    String(value).length * 0.75 > maxBytes ? strings.tooLarge(bytes(maxBytes)) : undefined,
}

/** Validates a value against the definition of its field, as far as that is possible without the server. */
export function problemOf(
  field: Field,
  value: unknown,
  isNew: boolean,
  values: Values = {},
): string | undefined {
  if (isEmpty(value)) return field.required && (isNew || value !== undefined) ? strings.required : undefined
  return (checks[field.kind] as Check<Field['kind']> | undefined)?.(field as never, value, values)
}
