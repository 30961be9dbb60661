import { randomBytes } from 'node:crypto'
import { type Client, findClient } from '../auth/clients.js'
import type { KnownConsumer } from '../auth/sign-in.js'
import type { Db } from '../db/database.js'
import type { Parts } from '../resources/feature.js'
import { type AuthorizeRequest, mayReturnTo, readClient, readRequest, sendBack } from './authorize-request.js'
import { channelWith, type LoginChannel } from './channel.js'
import { PageError } from './page-error.js'
import { formText, type PageVisit, pagePath, type Redirect, type ShownPage } from './page-visit.js'
import { signInPage } from './pages/sign-in-page.js'
import { openField, sealField } from './sealed-field.js'
import { type Problem, signIn } from './sign-in.js'

const codeSeconds = 120

/** RFC 6749 §4.1.1 with PKCE: an app sends its viewer here to sign in. */
export async function askToSignIn(visit: PageVisit): Promise<ShownPage | Redirect> {
  const { client, redirect_uri } = await readClient(visit)
  const request = readRequest(visit, client, redirect_uri)
  if ('location' in request) return request
  const channel = await channelWith(visit.parts.database.db, client.site_id)
  return signInForm(visit.parts, channel, client, request)({ email: visit.given.texts.login_hint })
}

/** Signs the viewer in and redirects to the app with an authorization code. */
export async function signInToApp(visit: PageVisit): Promise<ShownPage | Redirect> {
  const { parts } = visit
  const { database, sealer } = parts
  const request = openField<AuthorizeRequest>(sealer, 'authorize', formText(visit, 'sealed'))
  const client = await findClient(database.db, sealer, { id: request.client_id, secret: undefined })
  if (!client || !mayReturnTo(client, request.redirect_uri))
    throw new PageError(422, 'This app has changed', 'Go back to the app and start again.')
  const channel = await channelWith(database.db, client.site_id)
  return signIn(visit, {
    channel,
    app_id: client.app_id,
    page: signInForm(parts, channel, client, request),
    async enter(tx, consumer) {
      const code = await issueCode(tx, parts, client, consumer, request)
      return sendBack(parts.loginUrl, request, { code })
    },
  })
}

const signInForm =
  (parts: Parts, { brand }: LoginChannel, { client_id, title }: Client, request: AuthorizeRequest) =>
  (problem: Problem): ShownPage => ({
    brand,
    formTargets: [request.redirect_uri],
    html: signInPage({
      brand,
      appTitle: title,
      action: pagePath(parts, '/oauth/authorize'),
      hidden: { sealed: sealField(parts.sealer, 'authorize', request) },
      forgotUrl: pagePath(parts, `/forgot-password?client_id=${encodeURIComponent(client_id)}`),
      ...problem,
    }),
  })

async function issueCode(
  tx: Db,
  { sealer }: Parts,
  { site_id, app_id }: Client,
  { _id: consumer_id }: KnownConsumer,
  { redirect_uri, code_challenge, scope }: AuthorizeRequest,
): Promise<string> {
  const code = randomBytes(32).toString('hex')
  await tx`
    insert into authorization_codes (
      digest, site_id, app_id, consumer_id, redirect_uri, code_challenge, scope, expires_at
    )
    values (
      ${sealer.digest(code)}, ${site_id}, ${app_id}, ${consumer_id}, ${redirect_uri}, ${code_challenge}, ${scope},
      now() + make_interval(secs => ${codeSeconds})
    )
  `
  return code
}
