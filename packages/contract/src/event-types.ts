import { catalog } from './catalog.js'
import type { Resource } from './resource.js'

/** Whether changes of its records are events: callers write them, and they are rows of a table. */
export const hasEvents = ({ derived, operations }: Pick<Resource, 'derived' | 'operations'>): boolean =>
  !derived && operations.some((operation) => operation !== 'list' && operation !== 'get')

/** What events call a record: the first part of their types. */
export const subjectOf = ({ name, history }: Pick<Resource, 'name' | 'history'>): string =>
  history.name ?? name

/** The types of the events of a resource's records. */
export function eventTypesOf(resource: Resource): readonly string[] {
  if (!hasEvents(resource)) return []
  const subject = subjectOf(resource)
  const isEntitlement = /^(playlist_)?entitlement$/.test(subject)
  const verbs = [
    ...(resource.single ? [] : isEntitlement ? ['granted', 'ended'] : ['created', 'deleted']),
    ...['updated', 'restored'],
    ...(resource.keptDays ? ['purged'] : []),
    ...Object.keys(resource.history.milestones ?? {}),
  ]
  return verbs.map((verb) => `${subject}.${verb}`)
}

const written = Object.values<Resource>(catalog).filter(hasEvents)

/** Types of event that tell of more than one record was created, changed or deleted, with the sentences of their definitions. */
export const milestones: Readonly<Record<string, string>> = Object.fromEntries(
  written.flatMap((resource) =>
    Object.entries(resource.history.milestones ?? {}).map(([verb, { about }]) => [
      `${subjectOf(resource)}.${verb}`,
      about,
    ]),
  ),
)

/** Types of event that do not follow from a definition: their triggers have rules of their own. */
export const otherEvents = {
  'key.rotated': 'A key of the channel was replaced.',
  'invitation.created': 'Somebody was invited to the team.',
  'invitation.updated': 'An invitation was changed before it was accepted.',
  'invitation.deleted': 'An invitation was withdrawn. One that is accepted is the event member.created.',
  'member.created': 'Somebody joined the team.',
  'member.updated': 'A member of the team has another role.',
  'member.deleted': 'Somebody left the team.',
  'publisher.signed_in': 'A member of the team signed in to the dashboard.',
  'webhook.test': 'Somebody tried a webhook.',
}

const special = Object.keys({ ...milestones, ...otherEvents })
const parts = (place: 0 | 1) => special.map((type) => type.split('.')[place] ?? '')

/** What events are about: the first part of their types. */
export const eventSubjects: readonly string[] = [...new Set([...written.map(subjectOf), ...parts(0)])].sort()

const verbs = ['created', 'deleted', 'ended', 'granted', 'purged', 'restored', 'updated']

/** What has happened: the second part of their types. */
export const eventVerbs: readonly string[] = [...new Set([...verbs, ...parts(1)])].sort()
