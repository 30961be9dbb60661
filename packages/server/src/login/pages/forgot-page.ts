import { html } from '../../lib/html.js'
import type { Brand } from './brand.js'
import { alert, emailAttributes, field, hiddenInputs, titleWith } from './form-parts.js'
import { layout } from './layout.js'

export interface Forgot {
  readonly brand: Brand
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
  readonly email?: string
  readonly error?: string
}

/** Asks where to send a link for a new password, without revealing whether the account exists. */
export function forgotPage({ brand, action, hidden, email, error }: Forgot): string {
  const wrong = Boolean(error)
  return layout({
    title: titleWith(error, 'Forgot your password?'),
    brand,
    body: html`<h1>Forgot your password?</h1>
<p class="quiet">If there is an account with this address, we will send it a link to choose a new password.</p>
${alert(error)}
<form method="post" action="${action}">
${hiddenInputs(hidden)}
${field({ name: 'email', label: 'E-mail address', wrong, autofocus: wrong, attributes: emailAttributes(email) })}
<button class="main">Send link</button>
</form>`,
  })
}
