import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { keyOf } from '../../data/keys.js'
import { type Plain, plainCalls } from '../../data/plain.js'
import { useSession } from '../../data/session.js'
import { RemoveButton } from '../remove-button.js'
import { strings } from '../strings.js'
import type { RecordKind } from './record-kind.js'

/** Deletes a record, and goes back to the list. */
export function DeleteButton({ kind, record }: { readonly kind: RecordKind; readonly record: Plain }) {
  const { client, channel } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const title = kind.titleOf(record)
  const remove = async () => {
    await plainCalls(client, kind.name).remove(record._id, { query: kind.beside })
    // Deleting the record discards unsaved changes, so the guard does not ask.
    await navigate({ to: kind.path, ignoreBlocker: true })
    queries.removeQueries({ queryKey: keyOf(kind.name, channel._id, 'record', record._id) })
  }
  return (
    <RemoveButton
      label={strings.delete}
      icon="trash"
      question={strings.deleteQuestion(title)}
      about={strings.deleteForGood}
      run={remove}
      done={strings.deleted(title)}
      failed={strings.notDeleted(title)}
      stale={[keyOf(kind.name)]}
    />
  )
}
