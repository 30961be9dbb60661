import type { Resource } from './resource.js'

/** What undoing an event does to its record. */
export type Inverse = 'update' | 'remove' | 'bring back'

const inverses: Readonly<Record<string, Inverse>> = {
  updated: 'update',
  created: 'remove',
  granted: 'remove',
  restored: 'remove',
  deleted: 'bring back',
  ended: 'bring back',
}

/** What undoing an event of this type does; undefined if such events cannot be undone. A revoked credential stays revoked. */
export function inverseOf(
  { operations, credential }: Pick<Resource, 'operations' | 'credential'>,
  type: string,
): Inverse | undefined {
  const inverse = inverses[type.split('.')[1] ?? '']
  if (credential && inverse === 'bring back') return undefined
  return inverse && operations.includes(operationOf(inverse)) ? inverse : undefined
}

/** The operation that a caller must be allowed to perform for it. */
export const operationOf = (inverse: Inverse) => (inverse === 'update' ? 'update' : 'remove')
