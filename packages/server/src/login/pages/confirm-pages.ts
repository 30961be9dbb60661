import { html } from '../../lib/html.js'
import type { Brand } from './brand.js'
import { hiddenInputs } from './form-parts.js'
import { layout } from './layout.js'

interface ConfirmFirst {
  readonly brand: Brand
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
  readonly email: string
}

/** Tells a viewer to confirm the e-mail address first, and offers to send the mail again. */
export const confirmFirstPage = ({ brand, action, hidden, email }: ConfirmFirst): string =>
  layout({
    title: 'Confirm your e-mail address first',
    brand,
    body: html`<div role="alert">
<h1>Confirm your <span class="word">e-mail</span> address first</h1>
<p>We sent a mail to <bdi>${email}</bdi>. Open the link in it, then sign in again.</p>
</div>
<form method="post" action="${action}">
${hiddenInputs(hidden)}
<button>Send the mail again</button>
</form>`,
  })

interface Verification {
  readonly brand: Brand
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
}

/** Requires a click, so that a mail scanner that opens the link confirms nothing. */
export const verifyPage = ({ brand, action, hidden }: Verification): string =>
  layout({
    title: 'Confirm your e-mail address',
    brand,
    body: html`<h1>Confirm your <span class="word">e-mail</span> address</h1>
<p class="quiet">Press the button, and <bdi>${brand.title}</bdi> knows that the address is yours.</p>
<form method="post" action="${action}">
${hiddenInputs(hidden)}
<button class="main">Confirm e-mail address</button>
</form>`,
  })
