import { hasEvents, type Resource, secretFields, subjectOf } from '@zoetrope/contract'
import { keptTables } from '../../packages/server/src/features/events/bring-back.js'
import { privateColumns } from '../../test/support/private-schema.js'
import { head, inLines, longestLine } from './lines.js'

/** Resources whose trigger has rules of its own: triggers/history.sql. */
const withOwnRules = ['linked_devices']

/** Columns that no record shows and that events do not contain either, besides secrets and indexes. */
const hiddenColumns = [
  ...['audio_tracks.facts', 'audio_tracks.failures', 'audio_tracks.file_id', 'audio_tracks.source_id'],
  ...[
    'audio_tracks.track',
    'playlists.filled_by',
    'uploads.metadata',
    'webhooks.failing_days',
    'webhooks.host',
  ],
  'webhooks.last_failed_on',
]

/** Of the columns that no record shows, secrets are called so. */
const isSecret = /(^search|^record|hash|digest|nonce|secret)/

function columnsOf(resource: Resource) {
  const { plural, fields, history } = resource
  const names = Object.keys(privateColumns)
    .filter((name) => name.startsWith(`${plural}.`))
    .map((name) => name.slice(plural.length + 1))
  const declared = [...(history.quiet ?? []), ...(history.hidden ?? [])]
  const unknown = declared.filter((name) => !Object.hasOwn(fields, name))
  if (unknown.length > 0)
    throw new Error(`The history of ${plural} names unknown fields: ${unknown.join(', ')}.`)
  const isHidden = (name: string) => isSecret.test(name) || hiddenColumns.includes(`${plural}.${name}`)
  return {
    hidden: [...names.filter(isHidden), ...secretFields(resource), ...(history.hidden ?? [])].sort(),
    quiet: ['updated_at', ...(history.quiet ?? []), ...names.filter((name) => !isHidden(name))].sort(),
  }
}

const milestonesOf = ({ history: { milestones = {} } }: Resource): string[] =>
  Object.entries(milestones).flatMap(([verb, { when }]) =>
    [when].flat().map((condition) => `${verb} ${condition}`),
  )

/** The second word of a milestone is its column. */
const milestoneColumnsOf = (milestones: readonly string[]): string[] =>
  [...new Set(milestones.map((milestone) => milestone.split(' ')[1] ?? ''))].sort()

function modeOf({ name, plural }: Resource, resources: readonly Resource[]): string {
  if (resources.some((other) => other.name === `${name}_version`)) return 'versions'
  return keptTables.includes(plural) ? 'kept' : ''
}

function trigger(table: string, when: string, given: readonly string[]): string {
  const short = `  for each row execute function note_change(${given.join(', ')});`
  const long = `  for each row execute function note_change(\n${given.map((each) => `    ${each}`).join(',\n')}\n  );`
  const call = short.length <= longestLine && !short.includes('\n') ? short : long
  return `create or replace trigger ${table}_history after ${when} on ${table}\n${call}\n`
}

/** An array as an argument of a trigger. */
function array(names: readonly string[]): string {
  const short = `'{${names.join(', ')}}'`
  return short.length <= 100 ? short : `'{\n${inLines(names, '      ')}\n    }'`
}

function triggerOf(resource: Resource, resources: readonly Resource[]): string {
  const { hidden, quiet } = columnsOf(resource)
  const milestones = milestonesOf(resource)
  const given = [
    `'${subjectOf(resource)}'`,
    array(hidden),
    array(quiet),
    `'${modeOf(resource, resources)}'`,
    ...(milestones.length > 0 ? [array(milestones), array(milestoneColumnsOf(milestones))] : []),
  ]
  const when = resource.single ? 'update' : 'insert or update or delete'
  return trigger(resource.plural, when, given)
}

/** Tables without a resource whose deleted rows come back with the record that they belonged to. */
const keptOnly = (table: string) => trigger(table, 'delete', ["''", "'{}'", "'{}'", "'kept'"])

/** The triggers that write the history. note_change() in functions/history.sql explains their arguments. */
export function historySql(resources: readonly Resource[]): string {
  const tables = resources.map(({ plural }) => plural)
  const written = resources.filter(
    (resource) => hasEvents(resource) && !withOwnRules.includes(resource.plural),
  )
  return (
    head('The history of each table: note_change() in functions/history.sql explains the arguments.') +
    [
      ...written.map((resource) => triggerOf(resource, resources)),
      ...keptTables.filter((table) => !tables.includes(table)).map(keptOnly),
    ].join('')
  )
}
