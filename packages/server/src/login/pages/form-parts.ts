import { type Html, html } from '../../lib/html.js'

export interface Field {
  readonly name: string
  readonly label: string
  /** Further attributes of the input, each preceded by a space. */
  readonly attributes: Html
  readonly hint?: string
  /** Whether the page's alert is about this field. */
  readonly wrong?: boolean
  readonly autofocus?: boolean
}

/** A labelled input; screen readers read its hint and its alert with it. */
export function field({ name, label, attributes, hint, wrong, autofocus }: Field): Html {
  const described = [wrong && 'alert', hint && `${name}-hint`].filter(Boolean).join(' ')
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" required${attributes}${described && html` aria-describedby="${described}"`}${
    wrong && html` aria-invalid="true"`
  }${autofocus && html` autofocus`}>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`
}

/** The error at the top of a form. */
export const alert = (text: string | undefined) =>
  text && html`<div class="alert" role="alert" id="alert">${text}</div>`

/** Hidden fields of a form. */
export const hiddenInputs = (values: Readonly<Record<string, string>> = {}) =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)

/** The attributes of an e-mail input on a sign-in form. */
export const emailAttributes = (value: string | undefined): Html =>
  html` type="email" autocomplete="username" autocapitalize="none" spellcheck="false" value="${value}"`

/** The title of a page, which screen readers read first. */
export const titleWith = (error: string | undefined, title: string): string =>
  error ? `Error: ${title}` : title
