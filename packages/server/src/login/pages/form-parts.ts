import { type Html, html } from '../../lib/html.js'

export interface Field {
  readonly name: string
  readonly label: string
  /** The other attributes of the input, with a space before each. */
  readonly attributes: Html
  readonly hint?: string
  /** Whether the page's alert is about this field. */
  readonly wrong?: boolean
  readonly autofocus?: boolean
}

/** A labelled input; its hint and the alert that concerns it are read out with it. */
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

/** What is wrong, for the top of a form. */
export const alert = (text: string | undefined) =>
  text && html`<div class="alert" role="alert" id="alert">${text}</div>`

/** What a form carries along unseen. */
export const hiddenInputs = (values: Readonly<Record<string, string>> = {}) =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)

/** The attributes of an input for an e-mail address that signs somebody in. */
export const emailAttributes = (value: string | undefined): Html =>
  html` type="email" autocomplete="username" autocapitalize="none" spellcheck="false" value="${value}"`

/** The title of a page, which a screen reader says first. */
export const titleWith = (error: string | undefined, title: string): string =>
  error ? `Error: ${title}` : title
