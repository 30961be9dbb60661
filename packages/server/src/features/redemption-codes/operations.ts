import type { Db } from '../../db/database.js'
import { explaining } from '../../db/violation.js'
import { invalid, notFound } from '../../errors.js'
import { newId } from '../../lib/object-id.js'
import type { Answer, Call } from '../../resources/feature.js'
import { answer, standard } from '../../resources/standard.js'
import { update, type Values } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { checkReferences } from '../references.js'
import { newCode, readCode } from './codes.js'

/** What a code can grant: the table of each target, and its title column. */
const targets = {
  video_id: { table: 'videos', title: 'title' },
  playlist_id: { table: 'playlists', title: 'title' },
  plan_id: { table: 'plans', title: 'name' },
  pass_plan_id: { table: 'pass_plans', title: 'name' },
} as const
type Target = keyof typeof targets
const names = Object.keys(targets) as Target[]

function targetOf(given: Values): Target {
  const [target, ...others] = names.filter((name) => typeof given[name] === 'string')
  if (target && others.length === 0) return target
  throw invalid(`Could not save redemption_code: give exactly one of ${names.join(', ')}.`, {
    [others[0] ?? names[0] ?? '']: [target ? 'is one too many' : 'is required, or another thing to open'],
  })
}

async function titleOf(db: Db, site_id: string, given: Values): Promise<string | null> {
  const target = targetOf(given)
  const { table, title } = targets[target]
  const [row] = await db<{ title: string }[]>`
    select ${db(title)} as title from ${db(table)} where site_id = ${site_id} and _id = ${String(given[target])}
  `
  return row?.title ?? null
}

/** Turns a unique violation into an error that says that the code is taken. */
const whereCodeIsFree = <T>(saved: Promise<T>): Promise<T> =>
  explaining(saved, 'unique', () =>
    invalid('Could not save redemption_code: there is such a code already.', { code: ['is taken'] }),
  )

export async function createCode(call: Call): Promise<Answer | undefined> {
  const { parts, scope, body } = call
  targetOf(body)
  await checkReferences(call)
  const code = typeof body.code === 'string' ? readCode(body.code) : newCode()
  const content_title = await titleOf(parts.database.db, scope.site_id, body)
  return whereCodeIsFree(standard.create({ ...call, body: { ...body, code, content_title } }))
}

/** Updates a code. The code and the target of a redeemed one cannot change. */
export async function updateCode(call: Call): Promise<Answer | undefined> {
  const { parts, resource, scope, id } = call
  await checkReferences(call)
  const changing = parts.database.transaction(async (tx) => {
    // The lock prevents a redemption between this check and the update.
    const [kept] = await tx<Values[]>`
      select redeemed, video_id, playlist_id, plan_id, pass_plan_id from redemption_codes
      where site_id = ${scope.site_id} and _id = ${id} for update
    `
    if (!kept) throw notFound(resource.name)
    return update(tx, resource, scope, id, await changesTo(tx, kept, call))
  })
  const record = await whereCodeIsFree(changing)
  return answer(record ?? '')
}

async function changesTo(tx: Db, kept: Values, { scope, body }: Call): Promise<Values> {
  const changes = names.filter((name) => name in body && body[name] !== kept[name])
  if (kept.redeemed && (changes.length > 0 || 'code' in body))
    throw invalid('This code has been redeemed. Make another one.')
  const content_title = await titleOf(tx, scope.site_id, { ...kept, ...body })
  const code = typeof body.code === 'string' ? { code: readCode(body.code) } : {}
  return { ...body, ...code, content_title }
}

export async function bulkCreate(call: CallOf<'redemption_codes', 'bulk_create'>): Promise<Answer> {
  const { parts, scope, body } = call
  const { amount, ...given } = body
  const target = targetOf(given)
  await checkReferences(call)
  const { db } = parts.database
  const content_title = await titleOf(db, scope.site_id, given)
  const ids = Array.from({ length: amount }, () => newId())
  await parts.database.transaction(
    (tx) => tx`
      insert into redemption_codes (_id, site_id, code, ${tx(target)}, expiration_date, content_title)
      select id, ${scope.site_id}, code, ${String(given[target])}, ${given.expiration_date ?? null}::timestamptz,
        ${content_title}
      from unnest(${ids}::text[], ${ids.map(newCode)}::text[]) as made (id, code)
    `,
  )
  return { json: JSON.stringify({ message: `${amount} redemption codes were made.` }) }
}
