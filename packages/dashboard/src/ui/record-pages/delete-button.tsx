import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Plain, plainCalls } from '../../data/plain.js'
import { useSession } from '../../data/session.js'
import { DialogButton } from '../form-dialog.js'
import { sayDone, sayFailed } from '../notices.js'
import { strings } from '../strings.js'
import { type RecordKind, recordKey } from './record-kind.js'

/** Deletes a record for good, once somebody has said so twice. */
export function DeleteButton({ kind, record }: { readonly kind: RecordKind; readonly record: Plain }) {
  const { client, channel } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const title = kind.titleOf(record)
  const deleting = useMutation({
    mutationFn: () => plainCalls(client, kind.name).remove(record._id, { query: kind.beside }),
    onSuccess: async () => {
      sayDone(strings.deleted(title))
      await navigate({ to: kind.path })
      queries.removeQueries({ queryKey: recordKey(kind, channel._id, record._id) })
      await queries.invalidateQueries({ queryKey: [kind.name] })
    },
    onError: (error) => sayFailed(strings.notDeleted(title), error),
  })
  return (
    <DialogButton label={strings.delete} icon="trash" title={strings.deleteQuestion(title)}>
      {(close) => (
        <>
          <Text>{strings.deleteForGood}</Text>
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={close} data-autofocus>
              {strings.cancel}
            </Button>
            <Button color="red" loading={deleting.isPending} onClick={() => deleting.mutate()}>
              {strings.delete}
            </Button>
          </Group>
        </>
      )}
    </DialogButton>
  )
}
