import { html } from '../../lib/html.js'
import type { Brand } from './brand.js'
import { hiddenInputs } from './form-parts.js'
import { layout } from './layout.js'

export interface ConfirmFirst {
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
