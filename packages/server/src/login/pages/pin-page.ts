import { html } from '../../lib/html.js'
import type { Brand } from './brand.js'
import { alert, field, hiddenInputs, titleWith } from './form-parts.js'
import { layout } from './layout.js'

export interface PinEntry {
  /** Absent until the PIN identifies the channel. */
  readonly brand?: Brand
  readonly action: string
  readonly hidden?: Readonly<Record<string, string>>
  readonly pin?: string
  readonly error?: string
}

/** Asks for the PIN that a TV shows. */
export function pinPage({ brand, action, hidden, pin, error }: PinEntry): string {
  const wrong = Boolean(error)
  return layout({
    title: titleWith(error, 'Link your TV'),
    brand,
    body: html`<h1>Link your TV</h1>
<p class="quiet">Type the PIN that your TV shows.</p>
${alert(error)}
<form method="post" action="${action}">
${hiddenInputs(hidden)}
${field({
  name: 'pin',
  label: 'PIN',
  hint: 'Capital letters and spaces do not matter.',
  wrong,
  autofocus: wrong,
  attributes: html` class="pin" type="text" dir="ltr" inputmode="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="40" value="${pin}"`,
})}
<button class="main">Continue</button>
</form>`,
  })
}
