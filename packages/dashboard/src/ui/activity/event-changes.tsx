import { Text } from '@mantine/core'
import { Difference, inWords } from '../difference/difference.js'
import { type ActivityEvent, changedFields, kindOf, verbOf } from './event-kinds.js'
import { strings } from './strings.js'

const mostShown = 20

interface ChangedField {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

/** The changed fields of an update. For a new or deleted record, those that forms show and that have a value. */
function changesOf(event: ActivityEvent): readonly ChangedField[] {
  const { data, previous } = event
  if (Object.keys(previous).length > 0)
    return changedFields(event).map((name) => ({ name, before: previous[name], after: data[name] }))
  const { words, fields } = kindOf(event)
  const filled = Object.keys(words).filter(
    (name) => data[name] !== false && inWords({ name, field: fields[name], words }, data[name]) !== '',
  )
  if (verbOf(event) === 'deleted')
    return filled.map((name) => ({ name, before: data[name], after: undefined }))
  return verbOf(event) === 'created' ? filled.map((name) => ({ name, before: null, after: data[name] })) : []
}

/** What an event changed, field by field. */
export function EventChanges({ event }: { readonly event: ActivityEvent }) {
  const changes = changesOf(event)
  const { labels, fields } = kindOf(event)
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {strings.noDetails}
      </Text>
    )
  return (
    <>
      {changes.slice(0, mostShown).map(({ name, before, after }) =>
        fields[name]?.kind === 'file' ? (
          <Text key={name} size="sm" c="dimmed">
            {strings.newFile}
          </Text>
        ) : (
          <Difference
            key={name}
            name={name}
            field={fields[name]}
            words={labels}
            before={before}
            after={after}
          />
        ),
      )}
      {changes.length > mostShown && (
        <Text size="sm" c="dimmed">
          {strings.moreFields(changes.length - mostShown)}
        </Text>
      )}
    </>
  )
}
