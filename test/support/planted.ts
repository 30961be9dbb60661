import type { Field, Resource } from '@zoetrope/contract'

/** Markup that runs a script wherever text is treated as HTML or as a script. */
export const markup = `"'><img src=x onerror=alert(1)></script><script>alert(2)</script>`
export const shorter = '<img src=x onerror=alert(3)>'

/** Returns the longest markup that fits. */
const fitting = (longest: number) =>
  [markup, shorter].find(({ length }) => length <= longest) ?? '<b>'.slice(0, longest)

/** Addresses that run a script when followed. */
export const wickedUrls = [
  'javascript:alert(4)',
  'data:text/html,<script>alert(5)</script>',
  ' JavaScript:alert(6)',
]

/** The same markup in the format that a field requires. */
const formed: Readonly<Record<string, string>> = {
  url: `https://example.com/${markup.replaceAll(/\s/g, '/')}`,
  redirect: `https://example.com/${markup.replaceAll(/\s/g, '/')}`,
  email: '"<svg/onload=alert(7)>"@example.com',
}

/** Returns markup for a field, to see whether it is ever treated as more than text; undefined if it holds no text. */
function plantedIn(field: Field): unknown {
  // A write-only list of changes is skipped: it changes fields that can also be written directly.
  if (field.computed || (field.writeOnly && field.kind === 'objects')) return undefined
  switch (field.kind) {
    case 'text':
      return formed[field.format ?? ''] ?? fitting(field.maxLength)
    case 'list':
      return field.of.kind === 'text' ? [fitting(field.of.maxLength)] : undefined
    case 'map':
      return { [shorter]: markup }
    case 'objects':
      return [{ ...needed(field.of), ...planted(field.of) }]
    default:
      return undefined
  }
}

/** The required numbers of an object. */
const needed = (fields: Resource['fields']) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.required && 'min' in field ? [[name, field.min]] : [],
    ),
  )

/** Returns markup for every field that holds text. */
export function planted(fields: Resource['fields']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .map(([name, field]) => [name, plantedIn(field)] as const)
      .filter(([, value]) => value !== undefined),
  )
}
