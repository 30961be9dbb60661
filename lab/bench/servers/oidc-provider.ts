/** oidc-provider with its tokens in PostgreSQL, and some refresh tokens to begin with: GET /tokens. */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider'
import postgres from 'postgres'

const [port = '', connection = '', clientSecret = '', count = ''] = process.argv.slice(2)
const sql = postgres({ ...JSON.parse(connection), max: 10, onnotice: () => {} })
await sql`
  create table if not exists oidc (
    kind text, id text, payload jsonb not null, grant_id text, consumed_at timestamptz, primary key (kind, id)
  )
`
await sql`create index if not exists oidc_of_grant on oidc (grant_id)`
await sql`truncate oidc`

/** Keeps one kind of token as JSON, as the adapters that oidc-provider shows do. */
class InPostgres implements Adapter {
  readonly #kind: string
  constructor(kind: string) {
    this.#kind = kind
  }
  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    await sql`
      insert into oidc (kind, id, payload, grant_id)
      values (${this.#kind}, ${id}, ${sql.json(payload as never)}, ${payload.grantId ?? null})
      on conflict (kind, id) do update set payload = excluded.payload
    `
  }
  async find(id: string): Promise<AdapterPayload | undefined> {
    const [row] = await sql<{ payload: AdapterPayload; consumed_at: Date | null }[]>`
      select payload, consumed_at from oidc where kind = ${this.#kind} and id = ${id}
    `
    return (
      row && { ...row.payload, ...(row.consumed_at ? { consumed: row.consumed_at.getTime() / 1000 } : {}) }
    )
  }
  async consume(id: string): Promise<void> {
    await sql`update oidc set consumed_at = now() where kind = ${this.#kind} and id = ${id}`
  }
  async destroy(id: string): Promise<void> {
    await sql`delete from oidc where kind = ${this.#kind} and id = ${id}`
  }
  async revokeByGrantId(grantId: string): Promise<void> {
    await sql`delete from oidc where grant_id = ${grantId}`
  }
  findByUid = async () => undefined
  findByUserCode = async () => undefined
}

const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: InPostgres,
  clients: [
    {
      client_id: 'bench',
      client_secret: clientSecret,
      redirect_uris: ['https://example.com/'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  scopes: ['openid', 'offline_access', 'api'],
  // As ours: every refresh ends the old token. Access tokens are opaque texts.
  rotateRefreshToken: true,
  findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
  cookies: { keys: [randomBytes(16).toString('hex')] },
  ttl: {
    AccessToken: 3600,
    Grant: 86_400,
    RefreshToken: 86_400,
    IdToken: 3600,
    Interaction: 600,
    Session: 600,
  },
})
const client = await provider.Client.find('bench')
if (!client) throw new Error('The client is missing')
const tokens = await Promise.all(
  Array.from({ length: Number(count) }, async (_, index) => {
    const accountId = `viewer-${index}`
    const grant = new provider.Grant({ accountId, clientId: client.clientId })
    grant.addOIDCScope('api')
    const grantId = await grant.save()
    const facts = { accountId, client, grantId, gty: 'authorization_code', scope: 'api' }
    return new provider.RefreshToken(facts as never).save()
  }),
)
const answer = provider.callback()
createServer((request, response) => {
  if (request.url === '/tokens') response.end(JSON.stringify(tokens))
  else answer(request, response)
}).listen(Number(port), '127.0.0.1')
