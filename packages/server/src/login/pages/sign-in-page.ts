import { html } from '../../lib/html.js'
import type { Brand } from './brand.js'
import { alert, emailAttributes, field, hiddenInputs, titleWith } from './form-parts.js'
import { layout } from './layout.js'

type SignInField = 'email' | 'password'

export interface SignIn {
  readonly brand: Brand
  readonly appTitle: string
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
  readonly email?: string
  readonly error?: string
  /** The fields the error is about: both by default, none if the viewer can only try again later. */
  readonly wrong?: readonly SignInField[]
  readonly forgotUrl: string
}

/** Asks a viewer for e-mail address and password. */
export function signInPage({
  brand,
  appTitle,
  action,
  hidden,
  email,
  error,
  wrong,
  forgotUrl,
}: SignIn): string {
  const wrongFields = error ? (wrong ?? ['email', 'password']) : []
  const state = (name: SignInField) => ({
    name,
    wrong: wrongFields.includes(name),
    autofocus: wrongFields[0] === name,
  })
  return layout({
    title: titleWith(error, 'Sign in'),
    brand,
    body: html`<h1>Sign in to <bdi>${brand.title}</bdi></h1>
<p class="quiet">to continue to <bdi>${appTitle}</bdi></p>
${alert(error)}
<form method="post" action="${action}">
${hiddenInputs(hidden)}
${field({ ...state('email'), label: 'E-mail address', attributes: emailAttributes(email) })}
${field({
  ...state('password'),
  label: 'Password',
  attributes: html` type="password" autocomplete="current-password"`,
})}
<button class="main">Sign in</button>
</form>
<p class="after"><a href="${forgotUrl}">Forgot your password?</a></p>`,
  })
}
