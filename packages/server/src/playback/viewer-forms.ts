import { createHash } from 'node:crypto'
import { type Html, html } from '../lib/html.js'

type ViewerField = 'email' | 'password'

/** Why a viewer could not sign in. */
export interface ViewerProblem {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly message: string
  readonly email: string
  /** The fields that the message is about. */
  readonly wrong: readonly ViewerField[]
}

/** The form with which viewers sign in on a share page. */
export interface SignInForm {
  readonly action: string
  readonly forgotUrl: string
}

/** The viewer who is signed in, and where the form to sign out is sent. */
export interface ShownViewer {
  readonly email: string
  readonly action: string
}

export const formStyle = `form{margin:0}
label{display:block;margin:.75rem 0 .25rem;font-weight:600}
input{display:block;width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid #7a7a86;border-radius:.5rem;background:transparent;color:inherit;font:inherit}
input[aria-invalid]{border-color:var(--wrong);box-shadow:inset 0 0 0 1px var(--wrong)}
button{min-height:2.75rem;padding:.5rem 1.5rem;border:2px solid var(--text);border-radius:1.5rem;background:transparent;color:var(--text);font:inherit;font-weight:600;cursor:pointer}
form a{display:inline-block;margin-top:1rem}
button.main{margin:1.25rem 1rem 0 0;background:var(--text);color:var(--ground)}
.wrong{margin:.75rem 0 0;color:var(--wrong);font-weight:600}
.viewer{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;margin:1rem 0 0}
.viewer p{margin:0;overflow-wrap:anywhere}
input:focus-visible,button:focus-visible{outline:3px solid #4aa3ff;outline-offset:2px}`

export const formColors = {
  light: '--wrong:#a3201a',
  dark: '--wrong:#ff9a91',
} as const

/** Asks a viewer for e-mail address and password. The message of a problem is read with the fields it is about. */
export function signInForm({ action, forgotUrl }: SignInForm, problem: ViewerProblem | undefined): Html {
  // After a wrong password, the address is still there, and the password has to be typed again.
  const first = problem?.wrong.find((name) => name === 'password' || problem.email === '')
  const field = (name: ViewerField, label: string, attributes: Html) => {
    const isWrong = problem?.wrong.includes(name)
    return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" required maxlength="1000"${attributes}${isWrong && html` aria-invalid="true" aria-describedby="problem"`}${
      name === first && html` autofocus`
    }>
`
  }
  return html`<form method="post" action="${action}">
${problem && html`<p class="wrong" role="alert" id="problem">${problem.message}</p>\n`}${field(
  'email',
  'E-mail address',
  html` type="email" autocomplete="username" autocapitalize="none" spellcheck="false" value="${problem?.email}"`,
)}${field('password', 'Password', html` type="password" autocomplete="current-password"`)}<button class="main">Sign in</button>
<a href="${forgotUrl}">Forgot your password?</a>
</form>`
}

/** Says who is signed in, and offers to sign out. */
export const viewerLine = ({ email, action }: ShownViewer): Html =>
  html`<div class="viewer"><p>Signed in as <bdi>${email}</bdi></p><form method="post" action="${action}"><button>Sign out</button></form></div>`

/** The source of an inline style in a content security policy. */
export const hashOfStyle = (style: string): string =>
  `'sha256-${createHash('sha256').update(style).digest('base64')}'`
