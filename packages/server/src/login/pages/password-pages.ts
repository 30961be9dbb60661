import { html } from '../../lib/html.js'
import type { Brand } from './brand.js'
import { alert, emailAttributes, field, hiddenInputs, titleWith } from './form-parts.js'
import { layout } from './layout.js'

interface Forgot {
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

interface Reset {
  readonly brand: Brand
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
  /** The account: shown, and stored by password managers with the password. */
  readonly email?: string
  readonly error?: string
}

/** Asks for a new password once: a viewer who mistypes it can request another link. */
export function resetPage({ brand, action, hidden, email, error }: Reset): string {
  const wrong = Boolean(error)
  return layout({
    title: titleWith(error, 'Choose a new password'),
    brand,
    body: html`<h1>Choose a new password</h1>
<p class="quiet">for ${email ? html`<bdi>${email}</bdi>` : 'your account'} at <bdi>${brand.title}</bdi></p>
${alert(error)}
<form method="post" action="${action}">
${hiddenInputs(hidden)}
${email && html`<input hidden type="email" autocomplete="username" readonly value="${email}">`}
${field({
  name: 'password',
  label: 'New password',
  hint: 'At least 8 characters. A few unrelated words are easy to remember and hard to guess.',
  wrong,
  autofocus: wrong,
  attributes: html` type="password" autocomplete="new-password" minlength="8"`,
})}
<button class="main">Save password</button>
</form>`,
  })
}
