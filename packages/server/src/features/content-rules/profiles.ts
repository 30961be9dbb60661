import { catalog, limits } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { explaining } from '../../db/violation.js'
import { invalid, notFound } from '../../errors.js'
import { newId } from '../../lib/object-id.js'
import type { Run } from '../../resources/feature.js'
import { answer, standard } from '../../resources/standard.js'
import { insert, isSeen, type Scope, update } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { checkNumber } from '../check-number.js'
import { checkDevices } from '../references.js'
import { changeRules, type ProfileRule } from './profile-rules.js'

const most = limits.content_rule_profiles.value

/** Lists all on one page unless the request sets `per_page`. Existing clients expect no pages. */
export const listOnOnePage: Run = (call) =>
  standard.list({
    ...call,
    query: { ...call.query, per_page: call.query.per_page || String(limits.per_page.value) },
  })

export async function createProfile({
  parts,
  resource,
  scope,
  body,
}: CallOf<'content_rule_profiles', 'create'>) {
  const { content_rules_attributes: changes = [], ...given } = body
  const content_rules = changeRules([], changes)
  const _id = newId()
  const record = await parts.database.transaction(async (tx) => {
    await lockProfiles(tx, scope)
    const full = `A channel has at most ${most} content rule profiles. Remove one first.`
    await checkNumber(tx, 'content_rule_profiles', scope, most, full)
    await checkRules(tx, scope, content_rules)
    if (given.is_default_profile) await unsetDefault(tx, scope, _id)
    return insert(tx, resource, scope, { ...given, _id, content_rules })
  })
  return answer(record)
}

export async function updateProfile(call: CallOf<'content_rule_profiles', 'update'>) {
  const { parts, resource, scope, id, body } = call
  const { content_rules_attributes: changes = [], ...given } = body
  const record = await parts.database.transaction(async (tx) => {
    await lockProfiles(tx, scope)
    const [now] = await tx<{ content_rules: ProfileRule[] }[]>`
      select content_rules from content_rule_profiles where site_id = ${scope.site_id} and _id = ${id}
    `
    if (!now) throw notFound(resource.name)
    const content_rules = changeRules(now.content_rules, changes)
    await checkRules(tx, scope, content_rules)
    if (given.is_default_profile) await unsetDefault(tx, scope, id)
    return update(tx, resource, scope, id, { ...given, content_rules })
  })
  return answer(record ?? '')
}

/** Refuses to delete a profile in use, because that would open what it protects. */
export const removeProfile: Run = (call) =>
  explaining(standard.remove(call), 'foreign_key', () =>
    invalid('Videos or playlists have this profile. Give them another one, or none, first.'),
  )

/** Rejects a profile that does not exist in the channel. */
export const withKnownProfile =
  <B extends { readonly content_rule_profile_id?: string | null }>(run: Run<B>): Run<B> =>
  async (call) => {
    const { parts, scope, body } = call
    const id = body.content_rule_profile_id
    const profiles = catalog.content_rule_profiles
    const isKnown =
      typeof id !== 'string' ||
      (await isSeen(parts.database.db, profiles, { site_id: scope.site_id }, id, true))
    if (!isKnown) throw notFound(profiles.name)
    return run(call)
  }

/** Serializes changes to the profiles of a channel, to keep one default and the limit. */
async function lockProfiles(tx: Db, { site_id }: Scope): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`content_rule_profiles ${site_id}`}, 0))`
}

async function unsetDefault(tx: Db, { site_id }: Scope, id: string): Promise<void> {
  await tx`
    update content_rule_profiles set is_default_profile = false, updated_at = now()
    where site_id = ${site_id} and is_default_profile and _id <> ${id}
  `
}

async function checkRules(tx: Db, scope: Scope, rules: readonly ProfileRule[]): Promise<void> {
  await checkDevices(tx, scope, {
    device_ids: rules.flatMap(({ device_ids }) => device_ids),
    device_category_ids: rules.flatMap(({ device_category_ids }) => device_category_ids),
  })
}
