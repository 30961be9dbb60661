import { type Action, type CredentialKind, callerKinds, type Resource } from '@zoetrope/contract'

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** `linked_device` → `LinkedDevice`. */
export const pascalCase = (name: string) => name.split('_').map(capital).join('')

/** `add_videos` → `addVideos`. */
export const camelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** `add_videos` → `Add videos`. */
export const sentenceCase = (name: string) => capital(name.replaceAll('_', ' '))

/** The heading the operations of a resource stand under. */
export const tagOf = ({ name, plural, single }: Resource) => sentenceCase(single ? name : plural)

/** One record in a sentence: `a video`, `an app`, `the account`. */
export function oneOf(resource: Resource): string {
  const name = resource.name.replaceAll('_', ' ')
  if (resource.single) return `the ${name}`
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
}

interface ActionNames {
  readonly operationId: string
  readonly summary: string
}

/** `restoreVideo`, `Restore a video`; `endSessionsOfConsumer`, `End sessions of a consumer`; `forgotPassword`, `Forgot password`. */
export function actionNames(resource: Resource, name: string, { method, on }: Action): ActionNames {
  if (on === 'collection') return { operationId: camelCase(name), summary: sentenceCase(name) }
  const of = method === 'GET' || name.includes('_')
  return {
    operationId: `${camelCase(name)}${of ? 'Of' : ''}${pascalCase(resource.name)}`,
    summary: `${sentenceCase(name)} ${of ? 'of ' : ''}${oneOf(resource)}`,
  }
}

/** `admin key`, `access token`: how a kind of credential is called in a sentence. */
export function kindName(kind: CredentialKind): string {
  const [name = kind] = callerKinds[kind].about.split(':')
  return name.charAt(0).toLowerCase() + name.slice(1)
}
