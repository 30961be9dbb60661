import { ActionIcon, Badge, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useId } from 'react'
import { Icon } from '../icons.js'
import { dateAndTime, timeOf } from '../numbers.js'
import classes from './activity.module.css'
import { EventChanges } from './event-changes.js'
import { type ActivityEvent, hasOwnPage, pathOfRecord } from './event-kinds.js'
import { Sentence, sentenceText } from './sentence.js'
import { strings } from './strings.js'
import { UndoEvent } from './undo-event.js'

interface EventRowProps {
  readonly event: ActivityEvent
  /** The names of team members, by id. */
  readonly members: ReadonlyMap<string, string>
  /** Whether the record is known to be deleted. */
  readonly isGone: boolean
  readonly isUndone: boolean
  /** Whether the list is on the page of the record, so that no link is needed. */
  readonly isHere: boolean
}

/** One event: a sentence that opens to show what was changed. */
export function EventRow({ event, members, isGone, isUndone, isHere }: EventRowProps) {
  const [isOpen, { toggle }] = useDisclosure()
  const id = useId()
  const isUnreachable = isGone && hasOwnPage(event)
  return (
    <li className={classes.event}>
      <Text
        component="time"
        size="sm"
        c="dimmed"
        className={classes.time}
        dateTime={event.created_at}
        title={dateAndTime(event.created_at)}
      >
        {timeOf(event.created_at)}
      </Text>
      <Text component="div" size="sm">
        <Sentence
          event={event}
          members={members}
          to={isUnreachable || isHere ? undefined : pathOfRecord(event)}
        />
        {isUnreachable && !isHere && <Mark>{strings.gone}</Mark>}
        {event.undoes !== null && <Mark>{strings.undoing}</Mark>}
        {isUndone && <Mark>{strings.wasUndone}</Mark>}
      </Text>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={strings.details(sentenceText(event, members))}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        <Icon name={isOpen ? 'up' : 'down'} />
      </ActionIcon>
      <div id={id} hidden={!isOpen} className={classes.details}>
        {isOpen && (
          <>
            <EventChanges event={event} />
            <Group justify="space-between" mt="sm">
              <Text size="xs" c="dimmed">
                {dateAndTime(event.created_at)}
                {event.request_id && ` · ${strings.request(event.request_id)}`}
              </Text>
              {!isUndone && <UndoEvent event={event} />}
            </Group>
          </>
        )}
      </div>
    </li>
  )
}

const Mark = ({ children }: { readonly children: string }) => (
  <Badge variant="default" tt="none" fw={500} size="sm" ms={6} component="span">
    {children}
  </Badge>
)
