const made: unique symbol = Symbol('html')

/**
 * Markup that is safe to send. Only `html` creates it; other objects with a field of that name are not
 * trusted.
 */
export interface Html {
  readonly html: string
  readonly [made]: true
}

/**
 * What a template accepts. Absent values and `false` render as nothing, which allows `${condition &&
 * html`…`}`.
 */
export type HtmlValue = string | number | Html | false | null | undefined | readonly HtmlValue[]

const marks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for use inside an element or a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => marks[mark] ?? '')

/**
 * Inserts values into markup. Text is escaped, lists are joined, and markup made by this function is inserted
 * as it is.
 */
export const html = (strings: TemplateStringsArray, ...values: HtmlValue[]): Html => ({
  html: strings.reduce((written, next, index) => written + markupOf(values[index - 1]) + next),
  [made]: true,
})

function markupOf(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return ''
  if (isList(value)) return value.map(markupOf).join('')
  if (typeof value === 'object' && made in value) return value.html
  return escapeHtml(String(value))
}

// Array.isArray does not narrow to a readonly array.
const isList = (value: HtmlValue): value is readonly HtmlValue[] => Array.isArray(value)

/** What every page begins with, up to the first tags of its head. */
export const pageStart = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
`
