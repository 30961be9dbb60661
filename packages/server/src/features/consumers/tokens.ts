import { newSecret } from '../../auth/keys.js'
import type { Db } from '../../db/database.js'
import { type Fragment, sql } from '../../db/fragment.js'
import { violatedIndex } from '../../db/violation.js'
import { invalid } from '../../errors.js'
import type { Sealer } from '../../lib/sealing.js'
import type { Call } from '../../resources/feature.js'

const prefixes = { rss_token: 'zt_rss', remember_token: 'zt_remember' } as const
type TokenKind = keyof typeof prefixes
const tokenKinds = Object.keys(prefixes) as readonly TokenKind[]
/** Tokens that only an admin key sees. */
export type Tokens = Readonly<Record<TokenKind, string | null>>
export const noTokens: Tokens = { rss_token: null, remember_token: null }

interface TokenRow {
  readonly consumer_id: string
  readonly kind: TokenKind
  readonly sealed: Buffer
}

const digestOf = (sealer: Sealer, kind: TokenKind, token: string) => sealer.digest(`${kind} ${token}`)

/** Returns the tokens of consumers by id. Creates those that do not exist yet. */
export async function tokensOf(
  { parts, scope }: Call,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Tokens>> {
  const { database, sealer } = parts
  const known = await findTokens(database.db, scope.site_id, ids)
  const isKnown = new Set(known.map(({ consumer_id, kind }) => `${consumer_id} ${kind}`))
  const missing = ids.flatMap((consumer_id) =>
    tokenKinds
      .filter((kind) => !isKnown.has(`${consumer_id} ${kind}`))
      .map((kind) => ({ consumer_id, kind, token: newSecret(prefixes[kind]) })),
  )
  if (missing.length > 0) await insertTokens(database.db, sealer, scope.site_id, missing)
  const rows = missing.length > 0 ? await findTokens(database.db, scope.site_id, ids) : known
  const tokens = new Map<string, Tokens>()
  for (const { consumer_id, kind, sealed } of rows)
    tokens.set(consumer_id, { ...(tokens.get(consumer_id) ?? noTokens), [kind]: sealer.unseal(sealed) })
  return tokens
}

const findTokens = (db: Db, site_id: string, ids: readonly string[]) => db<TokenRow[]>`
  select consumer_id, kind, sealed from consumer_tokens
  where site_id = ${site_id} and consumer_id = any(${ids}::text[])
`

/** Of concurrent inserts, the first wins. Skips consumers that have been deleted meanwhile. */
async function insertTokens(
  db: Db,
  sealer: Sealer,
  site_id: string,
  made: readonly { readonly consumer_id: string; readonly kind: TokenKind; readonly token: string }[],
): Promise<void> {
  const ids = made.map(({ consumer_id }) => consumer_id)
  const kinds = made.map(({ kind }) => kind)
  const digests = made.map(({ kind, token }) => digestOf(sealer, kind, token).toString('hex'))
  const sealed = made.map(({ token }) => sealer.seal(token).toString('hex'))
  await db`
    with there as materialized (
      select _id from consumers where site_id = ${site_id} and _id = any(${ids}::text[]) order by _id for key share
    )
    insert into consumer_tokens (site_id, consumer_id, kind, digest, sealed)
    select ${site_id}, consumer_id, kind, decode(digest, 'hex'), decode(sealed, 'hex')
    from unnest(${ids}::text[], ${kinds}::text[], ${digests}::text[], ${sealed}::text[])
      as made (consumer_id, kind, digest, sealed)
    join there on there._id = consumer_id
    order by consumer_id, kind
    on conflict (site_id, consumer_id, kind) do nothing
  `
}

/** Stores tokens from the publisher. Null revokes a token; the next read creates a new one. */
export async function writeTokens(
  tx: Db,
  sealer: Sealer,
  { site_id, consumer_id }: { readonly site_id: string; readonly consumer_id: string },
  given: Partial<Tokens>,
): Promise<void> {
  for (const kind of tokenKinds) {
    const token = given[kind]
    if (token === undefined) continue
    await tx`
      delete from consumer_tokens
      where site_id = ${site_id} and consumer_id = ${consumer_id} and kind = ${kind}
    `
    if (token === null) continue
    await tx`
      insert into consumer_tokens (site_id, consumer_id, kind, digest, sealed)
      values (${site_id}, ${consumer_id}, ${kind}, ${digestOf(sealer, kind, token)}, ${sealer.seal(token)})
    `
  }
}

/** Whether a write failed because another consumer has the same token. */
export const isTokenTaken = (error: unknown): boolean => violatedIndex(error) === 'consumer_tokens_by_digest'

export const tokenTaken = () =>
  invalid('Could not save consumer: another viewer of the channel has this token already.', {
    ...Object.fromEntries(tokenKinds.map((kind) => [kind, ['may be that of another consumer']])),
  })

const mostTokens = 200

/** A condition for the consumers who have one of these tokens. */
export function hasToken(sealer: Sealer, site_id: string, kind: TokenKind, given: unknown): Fragment {
  const tokens = [given].flat().filter((token) => typeof token !== 'object')
  const digests = tokens
    .slice(0, mostTokens)
    .map((token) => digestOf(sealer, kind, String(token)).toString('hex'))
  return sql`_id in (
    select consumer_id from consumer_tokens
    where site_id = ${site_id} and kind = ${kind}
      and digest in (select decode(digest, 'hex') from unnest(${digests}::text[]) as asked (digest))
  )`
}
