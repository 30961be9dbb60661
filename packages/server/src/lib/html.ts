const made: unique symbol = Symbol('html')

/** Markup that is safe to send. Only `html` makes it: an object from elsewhere with a field of that name is not taken for it. */
export interface Html {
  readonly html: string
  readonly [made]: true
}

/** What may stand in a template. Absent values and `false` are nothing, so that `${condition && html`…`}` reads well. */
export type HtmlValue = string | number | Html | false | null | undefined | readonly HtmlValue[]

const marks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for the inside of an element or of a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => marks[mark] ?? '')

/** Puts values into markup. Text is escaped, lists are joined, and markup made by this function is put in as it is. */
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

// Array.isArray does not tell a readonly list from the rest.
const isList = (value: HtmlValue): value is readonly HtmlValue[] => Array.isArray(value)
