import { keyScopes } from '@zoetrope/contract'
import { labelOf } from '../../ui/labels.js'
import { strings } from './strings.js'

/** The choices of scopes that most people need. */
export const presets = {
  read: ['*:read'],
  upload: ['videos:read', 'videos:write', 'uploads:write', 'upload_tokens:read', 'upload_tokens:write'],
  full: ['*:read', '*:write'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Preset = keyof typeof presets | 'custom'

const sameScopes = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((scope) => b.includes(scope))

/** The preset with exactly these scopes. */
export function presetOf(scopes: readonly string[]): Preset {
  const found = Object.entries(presets).find(([, each]) => sameScopes(each, scopes))
  return (found?.[0] as Preset | undefined) ?? 'custom'
}

export type Right = 'read' | 'write'

/** Every resource that scopes can name, with the rights that exist for it, by its display name. */
export function scopedResources(): readonly { name: string; label: string; rights: readonly Right[] }[] {
  const scopes = keyScopes().filter((scope) => !scope.startsWith('*'))
  const names = new Set(scopes.map((scope) => scope.split(':')[0] ?? ''))
  return [...names]
    .map((name) => ({
      name,
      label: resourceLabel(name),
      rights: (['read', 'write'] as const).filter((right) => scopes.includes(`${name}:${right}`)),
    }))
    .sort((a, b) => a.label.localeCompare(b.label))
}

const labels: Readonly<Record<string, string>> = strings.resources

function resourceLabel(name: string): string {
  return labels[name] ?? labelOf(name)
}

/** The scopes of a key in words: “Reads videos and playlists. Changes videos.” */
export function describeScopes(scopes: readonly string[]): string {
  const all = new Set(scopes)
  if (all.has('*:read') && all.has('*:write')) return strings.everything
  return (['read', 'write'] as const)
    .map((right) => strings.does[right](namesWith(scopes, right)))
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function namesWith(scopes: readonly string[], right: Right): readonly string[] | 'all' {
  if (scopes.includes(`*:${right}`)) return 'all'
  return scopes
    .filter((scope) => scope.endsWith(`:${right}`))
    .map((scope) => resourceLabel(scope.split(':')[0] ?? ''))
}
