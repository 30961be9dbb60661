import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Inverse } from '@zoetrope/contract'
import { useSession } from '../../data/session.js'
import { withLabels } from '../field-words.js'
import { DialogButton } from '../form-dialog.js'
import { sayDone, sayFailed } from '../notices.js'
import { explain, Waiting } from '../states.js'
import { strings as shared } from '../strings.js'
import { EventChanges } from './event-changes.js'
import { type ActivityEvent, kindOf, undoOf } from './event-kinds.js'
import { capitalised, recordWords } from './sentence.js'
import { strings } from './strings.js'

interface UndoEventProps {
  readonly event: ActivityEvent
}

/** A button that undoes an event, after a preview of what will happen. Hidden if the event or the role does not allow it. */
export function UndoEvent({ event }: UndoEventProps) {
  const { may } = useSession()
  const undo = undoOf(event)
  if (!undo || !may(undo.need)) return null
  return (
    <DialogButton label={strings.undo.button} title={strings.undo.title} icon="undo" size="xs">
      {(close) => <Preview event={event} inverse={undo.inverse} onClose={close} />}
    </DialogButton>
  )
}

interface PreviewProps extends UndoEventProps {
  readonly inverse: Inverse
  onClose(): void
}

/** Tries the undo without doing it, and shows the result. */
function Preview({ event, inverse, onClose }: PreviewProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const undoing = useMutation({
    mutationFn: () => client.events.undo(event._id),
    onSuccess: async () => {
      onClose()
      sayDone(strings.undo.done)
      // It may have changed anything that a page shows.
      await queries.invalidateQueries()
    },
    onError: (error) => sayFailed(strings.undo.failed, error),
  })
  const trial = useQuery({
    queryKey: ['undo', event._id],
    queryFn: ({ signal }) => client.events.undo(event._id, { query: { dry_run: true }, signal }),
    // A second trial, while the dialog closes, would be refused.
    enabled: undoing.isIdle || undoing.isError,
    retry: false,
    gcTime: 0,
  })
  if (trial.isFetching) return <Waiting rows={2} />
  if (!trial.data)
    return (
      <Stack>
        <Alert color="red" variant="light" title={strings.undo.refused} role="alert">
          {withLabels(explain(trial.error).about, kindOf(event).words)}
        </Alert>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {shared.close}
          </Button>
        </Group>
      </Stack>
    )
  return (
    <Stack>
      <Consequence event={event} inverse={inverse} result={trial.data} />
      <Text size="sm" c="dimmed">
        {strings.undo.stays}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {shared.cancel}
        </Button>
        <Button loading={undoing.isPending} onClick={() => undoing.mutate()} data-autofocus>
          {strings.undo.confirm}
        </Button>
      </Group>
    </Stack>
  )
}

interface ConsequenceProps extends UndoEventProps {
  readonly inverse: Inverse
  /** The event that the undo would make. */
  readonly result: ActivityEvent
}

function Consequence({ event, inverse, result }: ConsequenceProps) {
  const what = capitalised(recordWords(event))
  if (inverse === 'remove') return <Text>{strings.undo.remove(what)}</Text>
  if (inverse === 'bring back') return <Text>{strings.undo.bringBack(what)}</Text>
  return (
    <div>
      <Text>{strings.undo.update}</Text>
      <EventChanges event={result} />
    </div>
  )
}
