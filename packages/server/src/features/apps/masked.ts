import { secretFields } from '@zoetrope/contract'
import { deriving } from '../../resources/derived.js'

/** Enough to tell one from another. */
const masked = (secret: unknown) => String(secret).replace(/^(.*_).*(.{4})$/, '$1…$2')

/** To whoever is signed in to the dashboard, secrets are shown in part: a session may have been left open. publishers/app-secrets.ts shows them whole. */
export const withMaskedSecrets = deriving((records, { resource, principal }) => {
  const names = principal.publisherId === undefined ? [] : secretFields(resource)
  return records.map((record) => Object.fromEntries(names.map((name) => [name, masked(record[name])])))
})
