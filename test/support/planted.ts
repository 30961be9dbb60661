import type { Field, Resource } from '@zoetrope/contract'

/** Markup that would run a script wherever a text is taken for HTML, or for a script. */
export const markup = `"'><img src=x onerror=alert(1)></script><script>alert(2)</script>`
export const shorter = '<img src=x onerror=alert(3)>'

/** As much of the markup as has room. */
const fitting = (longest: number) =>
  [markup, shorter].find(({ length }) => length <= longest) ?? '<b>'.slice(0, longest)

/** Addresses that run a script when followed. */
export const wickedUrls = [
  'javascript:alert(4)',
  'data:text/html,<script>alert(5)</script>',
  ' JavaScript:alert(6)',
]

/** The same in the form that a text must have, where it must have one. */
const formed: Readonly<Record<string, string>> = {
  url: `https://example.com/${markup.replaceAll(/\s/g, '/')}`,
  redirect: `https://example.com/${markup.replaceAll(/\s/g, '/')}`,
  email: '"<svg/onload=alert(7)>"@example.com',
}

/** What a field is given to see whether it is ever taken for more than text; nothing where it holds no text. */
function plantedIn(field: Field): unknown {
  // Lists of changes change what can be written by itself too.
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

/** The numbers without which an object is not taken. */
const needed = (fields: Resource['fields']) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.required && 'min' in field ? [[name, field.min]] : [],
    ),
  )

/** Markup for every field that holds text. */
export function planted(fields: Resource['fields']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .map(([name, field]) => [name, plantedIn(field)] as const)
      .filter(([, value]) => value !== undefined),
  )
}
