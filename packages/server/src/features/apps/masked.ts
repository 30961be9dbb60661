import { secretFields } from '@zoetrope/contract'
import { deriving } from '../../resources/derived.js'

/** Keeps the prefix and the last four characters, so that secrets can be told apart. */
const masked = (secret: unknown) => String(secret).replace(/^(.*_).*(.{4})$/, '$1…$2')

/**
 * Masks secrets for publishers in the dashboard, because a session may be left open. publishers/app-secrets.ts returns
 * the complete ones.
 */
export const withMaskedSecrets = deriving((records, { resource, principal }) => {
  const names = principal.publisherId === undefined ? [] : secretFields(resource)
  return records.map((record) => Object.fromEntries(names.map((name) => [name, masked(record[name])])))
})
