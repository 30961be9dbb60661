import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import Provider, { type Configuration, type JWK } from 'oidc-provider'

/** What the provider says about the person who signs in as `<name>`. */
export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface TestProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  stop(): Promise<void>
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

export const client = { clientId: 'zoetrope', clientSecret: 'a secret of the provider, for tests only' }

/** Starts an identity provider (oidc-provider) that knows these people. They sign in with their name and any password. */
export async function startIdentityProvider(
  port: number,
  redirectUri: string,
  people: People,
  settings: Configuration = {},
): Promise<TestProvider> {
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'zoetrope_roles'] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...people[sub] }) }),
    // Consent is given at once: only the sign-in is of interest.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    cookies: { keys: ['for tests only'] },
    jwks: { keys: [privateKey.export({ format: 'jwk' }) as JWK] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    ...settings,
  })
  const server: Server = createServer(provider.callback())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    issuer,
    ...client,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A browser without pages: it keeps cookies by host and path, and follows redirects one by one. */
export function createBrowser() {
  const jar = new Map<string, Map<string, string>>()
  const visit = async (address: string, init: RequestInit = {}) => {
    const { host } = new URL(address)
    const cookies = jar.get(host) ?? new Map<string, string>()
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, {
      ...init,
      headers: { ...init.headers, cookie },
      redirect: 'manual',
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(set)) cookies.delete(name)
      else cookies.set(name, value)
    }
    jar.set(host, cookies)
    const location = response.headers.get('location')
    return {
      response,
      text: await response.text(),
      next: location ? new URL(location, address).href : undefined,
    }
  }
  return { visit, cookies: (address: string) => jar.get(new URL(address).host) ?? new Map<string, string>() }
}

/** Follows redirects from `address`, and signs in as `name` where the provider asks. Returns the last address. */
export async function signInElsewhere(
  { visit }: ReturnType<typeof createBrowser>,
  address: string,
  name: string,
  isEnd: (address: string) => boolean,
): Promise<string> {
  let at = address
  for (let steps = 0; steps < 20; steps += 1) {
    if (isEnd(at)) return at
    const { text, next, response } = await visit(at)
    if (next) {
      at = next
      continue
    }
    const [, action] = /<form[^>]*action="([^"]+)"/.exec(text) ?? []
    if (!action) throw new Error(`${at}: ${response.status} ${text.slice(0, 500)}`)
    const body = new URLSearchParams({ prompt: 'login', login: name, password: 'any' })
    const sent = await visit(new URL(action, at).href, { method: 'POST', body })
    at = sent.next ?? at
  }
  throw new Error(`No end after ${at}`)
}
