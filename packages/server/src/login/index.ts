import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Fields } from '../api/body.js'
import { queryOf } from '../api/brackets.js'
import type { Parts } from '../resources/feature.js'
import { askToSignIn, signInToApp } from './authorize.js'
import { askToConfirm, confirm, sendConfirmation } from './confirm-email.js'
import { askForAddress, sendResetMail } from './forgot-password.js'
import { askForPin, signInToLink, takePin } from './link.js'
import { decideOnLink } from './link-approval.js'
import { PageError } from './page-error.js'
import { type FormFields, readFormFields, type Show } from './page-visit.js'
import { askForPassword, setPassword } from './reset-password.js'
import { sendPage, sendPageError } from './send.js'

/** The viewers' pages. */
const pages: Readonly<Record<string, { readonly GET?: Show; readonly POST?: Show }>> = {
  '/oauth/authorize': { GET: askToSignIn, POST: signInToApp },
  '/link': { GET: askForPin, POST: takePin },
  '/link/sign-in': { POST: signInToLink },
  '/link/approve': { POST: decideOnLink },
  '/forgot-password': { GET: askForAddress, POST: sendResetMail },
  '/reset-password': { GET: askForPassword, POST: setPassword },
  '/verify-email': { GET: askToConfirm, POST: confirm },
  '/verify-email/again': { POST: sendConfirmation },
}

/**
 * The pages where viewers sign in, link a TV and follow links from mails. They use neither scripts nor
 * cookies.
 */
export function addLogin(app: FastifyInstance, parts: Parts): void {
  app.setErrorHandler(sendPageError)
  app.addHook('onRequest', (_request, reply, done) => {
    // No other site needs to read these pages.
    for (const name of ['origin', 'credentials']) reply.removeHeader(`access-control-allow-${name}`)
    reply.removeHeader('access-control-expose-headers')
    done()
  })
  for (const [url, page] of Object.entries(pages))
    app.route({
      method: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'],
      url,
      async handler(request, reply) {
        const show = showFor(page, request.method)
        if (request.method === 'POST') refuseOtherOrigins(request, parts)
        return sendPage(reply, await show({ parts, given: givenIn(request), ip: request.ip }))
      },
    })
}

function showFor(page: { readonly GET?: Show; readonly POST?: Show }, method: string): Show {
  const verb = method === 'HEAD' ? 'GET' : method
  const show = verb === 'GET' || verb === 'POST' ? page[verb] : undefined
  if (show) return show
  throw new PageError(405, 'This page cannot be opened like this', 'Go back to where you started.', {
    headers: { allow: [page.GET && 'GET, HEAD', page.POST && 'POST'].filter(Boolean).join(', ') },
  })
}

/** No page relies on cookies, so CSRF is impossible. This only stops other sites from using our forms. */
function refuseOtherOrigins({ headers: { origin, host } }: FastifyRequest, { loginUrl }: Parts): void {
  if (origin === undefined || origin === new URL(loginUrl).origin) return
  if (URL.canParse(origin) && new URL(origin).host === host) return
  throw new PageError(403, 'This form came from another site', 'Go back to your app and start again.')
}

function givenIn(request: FastifyRequest): FormFields {
  if (request.method !== 'POST') return readFormFields(queryOf(request))
  const { tree, written } = (request.body as Fields | undefined) ?? { tree: {}, written: 'form' }
  if (written === 'form') return readFormFields(tree)
  throw new PageError(422, 'This request cannot be read', 'Only forms are taken here.')
}
