import {
  actionPath,
  allows,
  type CredentialKind,
  callerKinds,
  catalog,
  confirmedFields,
  documentedPath,
  type Field,
  filterParameters,
  isShown,
  keyScopes,
  kindsAllowed,
  limits,
  milestones,
  needsConfirmation,
  nullable,
  operations,
  otherEvents,
  pathOf,
  publishedFormats,
  type Resource,
  type Role,
  scopeFor,
  statuses,
} from '@zoetrope/contract'
import { attemptLimits } from '../../packages/server/src/auth/limits.js'
import { scopes } from '../../packages/server/src/auth/scopes.js'
import { settings } from '../../packages/server/src/config/settings.js'
import { formatNames } from '../../packages/server/src/media/formats.js'
import { sdkArguments, sdkCalls } from '../../packages/server/src/reference/openapi/sdk-calls.js'

/** The tables that the documentation repeats from the code, exactly as they must appear there. */

const code = (text: string) => `\`${text}\``
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const resources: readonly Resource[] = Object.values(catalog)
/** The callers that this table covers. Upload tokens have no rights in it. */
const kinds = (Object.keys(callerKinds) as CredentialKind[]).filter((kind) => kind !== 'upload')

export const settingsTable = () =>
  table(
    ['Setting', 'What it does', 'Default'],
    Object.entries(settings).map(([name, { about, fallback }]) => [code(name), about, fallback]),
  )

export const errorsTable = () =>
  table(
    ['Status', '`code`', 'Meaning'],
    Object.entries(statuses).map(([status, { code: word, about }]) => [status, code(word), about]),
  )

export const limitsTable = () =>
  table(
    ['Limit', 'Value', 'Of what'],
    Object.entries(limits).map(([name, { value, about }]) => [code(name), value.toLocaleString('en'), about]),
  )

const containers = {
  hls: 'HLS, H.264 and AAC',
  mp4: 'One MP4 file, H.264 and AAC',
  webm: 'One WebM file, VP9 and Opus',
} as const

export const formatsTable = () =>
  table(
    ['Format', 'What it is', 'Picture (16:9)', 'Bits a second, at most'],
    formatNames.map((name) => {
      const { width, height, maxRate } = publishedFormats[name]
      const container = containers[name.split('_')[0] as keyof typeof containers]
      return [code(name), container, `${width}×${height}`, maxRate.toLocaleString('en')]
    }),
  )

/** The rows of types that every resource can have come first. */
const commonEvents = [
  ['`….created`, `….updated`, `….deleted`', 'A record was created, changed or deleted.'],
  ['`video.restored`, `video.purged`', 'A deleted video was restored, or deleted for good.'],
  [
    '`entitlement.granted`, `entitlement.ended`, `playlist_entitlement.granted`, `playlist_entitlement.ended`',
    'A viewer may watch a video or a playlist, or no longer.',
  ],
] as const

export const eventsTable = () =>
  table(
    ['Types', 'When'],
    [
      ...commonEvents,
      ...Object.entries({ ...milestones, ...otherEvents }).map(([type, about]) => [code(type), about]),
    ],
  )

export const scopesTable = () =>
  table(
    ['Scope', 'What the token is good for'],
    Object.entries(scopes).map(([name, about]) => [code(name), about]),
  )

const spans: Readonly<Record<number, string>> = { 600: '10 minutes', 900: '15 minutes', 3600: 'an hour' }

export const attemptsTable = () =>
  table(
    ['What', 'How many'],
    Object.values(attemptLimits).map(({ most, seconds, about }) => [
      about,
      `${most.toLocaleString('en')} in ${spans[seconds]}`,
    ]),
  )

interface Call {
  readonly name: string
  readonly method: string
  readonly path: string
}

const callsOf = (resource: Resource): Call[] => [
  ...resource.operations.map((name) => ({
    name,
    method: operations[name].method,
    path: pathOf(resource, name),
  })),
  ...Object.entries(resource.actions).map(([name, { method }]) => ({
    name,
    method,
    path: actionPath(resource, name),
  })),
]

/** A named key needs a scope, other credentials do not. */
const grantOf = (kind: CredentialKind, resource: Resource, name: string) =>
  kind === 'named' ? code(scopeFor(resource, name) ?? '') : 'yes'

const rolesWords = { owner: 'owners', editor: 'editors', viewer: 'guests' } as const
const allRoles = Object.keys(rolesWords) as Role[]

/** The roles that may do this in the dashboard, and when they have to confirm the password. */
function dashboardCell(resource: Resource, name: string): string {
  const may = allRoles.filter((role) => allows(role, resource, name))
  if (may.length === 0) return 'no'
  const who = may.length === allRoles.length ? 'all' : may.map((role) => rolesWords[role]).join(', ')
  if (needsConfirmation(resource, name)) return `${who}, confirmed`
  const widening = confirmedFields(resource, name)
  return widening.length > 0 ? `${who}; confirmed for ${widening.map(code).join(', ')}` : who
}

/** Which caller may make which request. */
export const accessTable = () =>
  table(
    ['Request', ...kinds.map((kind) => callerKinds[kind].about.split(':')[0] ?? kind), 'In the dashboard'],
    resources.flatMap((resource) =>
      callsOf(resource).map(({ name, method, path }) => {
        const allowed = kindsAllowed(resource, name)
        return [
          code(`${method} ${documentedPath(resource, path)}`),
          ...kinds.map((kind) => (allowed.includes(kind) ? grantOf(kind, resource, name) : 'no')),
          dashboardCell(resource, name),
        ]
      }),
    ),
  )

const textKinds = {
  url: 'address',
  language: 'language',
  slug: 'word for an address',
  email: 'e-mail address',
  color: 'colour',
  domain: 'host',
  redirect: 'address of an app',
  timecode: 'place in a film',
  currency: 'currency',
} as const

function kindOf(field: Field): string {
  switch (field.kind) {
    case 'text':
      return `${field.format ? textKinds[field.format] : 'text'}, up to ${field.maxLength.toLocaleString('en')} characters`
    case 'flag':
      return `true or false (${field.default})`
    case 'integer':
    case 'number':
      return `${field.kind === 'integer' ? 'whole number' : 'number'}, ${field.min} to ${field.max.toLocaleString('en')}`
    case 'choice':
      return `one of ${field.options.map((option) => code(String(option))).join(', ')}`
    case 'password':
      return `password, ${field.minLength} to ${field.maxLength} characters`
    case 'file':
      return `file, up to ${field.maxBytes.toLocaleString('en')} bytes`
    case 'list':
      return `list of ${field.of.kind === 'id' ? 'ids' : 'text'}`
    case 'objects':
      return `list of objects: ${Object.keys(field.of).map(code).join(', ')}`
    default:
      return { money: 'amount', timestamp: 'time', id: 'id', secret: 'secret', map: 'key/value pairs' }[
        field.kind
      ]
  }
}

function writtenOf(field: Field): string {
  const { required, computed, restricted } = field
  if (computed) return 'no'
  if (restricted) return 'by the admin key'
  return (required ? 'required' : 'yes') + (isShown(field) ? '' : ', never shown')
}

/** Every field of a record. */
export const fieldsTable = (resource: Resource) =>
  table(
    ['Field', 'Holds', 'Written', 'Filter', 'Sort', 'About'],
    Object.entries(resource.fields).map(([name, field]) => [
      code(name),
      kindOf(field) + (nullable(field) && isShown(field) ? ', or null' : ''),
      writtenOf(field),
      (field.filter ?? []).join(', '),
      field.sort ? 'yes' : '',
      field.about,
    ]),
  )

/** Every filter of a list, by the field it applies to. */
export const filtersTable = (resource: Resource) => {
  const parameters = filterParameters(resource)
  return table(
    ['Field', 'Parameters'],
    [...new Set(parameters.map(({ name }) => name))].map((name) => [
      code(name),
      parameters
        .filter((each) => each.name === name)
        .map(({ parameter }) => code(parameter))
        .join(', '),
    ]),
  )
}

/** Every resource that scopes of named keys can name, with its scopes. */
export function keyScopesTable(): string {
  const scopes = keyScopes()
  const names = [...new Set(scopes.map((scope) => scope.split(':')[0] ?? ''))]
  const shown = (scope: string) => (scopes.includes(scope) ? code(scope) : '')
  return table(
    ['To read', 'To write', 'Path'],
    names.map((name) => [
      shown(`${name}:read`),
      shown(`${name}:write`),
      name === '*' ? 'all of these' : pathsWith(name).map(code).join(', '),
    ]),
  )
}

/** The paths whose requests, and those below them, need a scope of this name. */
const pathsWith = (name: string) =>
  resources
    .filter((resource) => resource.within === undefined)
    .filter((resource) =>
      callsOf(resource).some((call) => scopeFor(resource, call.name)?.startsWith(`${name}:`)),
    )
    .map(({ path }) => `/${path}`)

export const sdkTable = () =>
  table(
    ['Method', 'Request', 'What it does'],
    [...sdkCalls].map(([request, call]) => [
      code(`${call.method.replace(/^client\./, '')}(${sdkArguments(call)})`),
      code(request),
      call.about,
    ]),
  )
