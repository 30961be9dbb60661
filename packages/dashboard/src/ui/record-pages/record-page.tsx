import { Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { Words } from '@zoetrope/contract/words/field-words'
import type { CallOptions } from '@zoetrope/sdk'
import { lazy, type ReactNode, Suspense } from 'react'
import { keyOf } from '../../data/keys.js'
import { type Plain, plainCalls } from '../../data/plain.js'
import { useSession } from '../../data/session.js'
import { LoadedPage } from '../loaded-page.js'
import { PageLayout } from '../page.js'
import { RemoveButton } from '../remove-button.js'
import { ResourceForm } from '../resource-form/resource-form.js'
import { Refused } from '../states.js'
import { strings } from '../strings.js'
import type { RecordKind } from './record-kind.js'

const RecordActivity = lazy(async () => ({
  default: (await import('../activity/record-activity.js')).RecordActivity,
}))

interface RecordPageProps {
  readonly kind: RecordKind
  /** Actions besides saving and deleting. */
  readonly actions?: (record: Plain) => ReactNode
  /** Shown above the form. */
  readonly children?: (record: Plain) => ReactNode
}

/** One record of a resource, or a form for a new one if the address ends in `new`. */
export function RecordPage(props: RecordPageProps) {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return id === 'new' ? <NewRecord kind={props.kind} /> : <KnownRecord key={id} id={id} {...props} />
}

const parentOf = ({ strings, path }: RecordKind) => ({ label: strings.title, to: path })

function NewRecord({ kind }: { readonly kind: RecordKind }) {
  const { client, may } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const leave = (to: string) => void navigate({ to })
  if (!may([kind.name, 'create']))
    return (
      <PageLayout title={kind.strings.create} parents={[parentOf(kind)]} maw="52rem">
        <Refused />
      </PageLayout>
    )
  return (
    <PageLayout title={kind.strings.create} parents={[parentOf(kind)]} maw="52rem">
      <ResourceForm<Plain, Words>
        resource={kind.resource}
        words={{ ...kind.words, ...kind.newWords }}
        groups={kind.groups}
        inputs={kind.inputs}
        starting={kind.starting}
        save={(fields, options) =>
          plainCalls(client, kind.name).create({ ...fields, ...kind.beside }, options)
        }
        onSaved={({ _id }) => {
          void queries.invalidateQueries({ queryKey: keyOf(kind.name) })
          leave(`${kind.path}/${_id}`)
        }}
        onCancel={() => leave(kind.path)}
      />
    </PageLayout>
  )
}

function KnownRecord({ kind, id, actions, children }: RecordPageProps & { readonly id: string }) {
  const { client, channel, may } = useSession()
  const queries = useQueryClient()
  const calls = plainCalls(client, kind.name)
  const queryKey = keyOf(kind.name, channel._id, 'record', id)
  const query = useQuery({ queryKey, queryFn: ({ signal }) => calls.get(id, { signal, query: kind.beside }) })
  const can = (operation: 'update' | 'remove') => may([kind.name, operation])
  return (
    <LoadedPage query={query} parent={parentOf(kind)}>
      {(record) => (
        <PageLayout
          title={kind.titleOf(record)}
          parents={[parentOf(kind)]}
          maw="52rem"
          actions={
            <>
              {actions?.(record)}
              {can('remove') && <DeleteButton kind={kind} record={record} />}
            </>
          }
        >
          <Stack gap="lg">
            {children?.(record)}
            <ResourceForm<Plain, Words>
              resource={kind.resource}
              words={kind.words}
              record={record}
              read={(options) => calls.get(id, { ...options, query: kind.beside })}
              groups={kind.groups}
              inputs={kind.inputs}
              isDisabled={!can('update')}
              save={(changes, options) => calls.update(id, { ...changes, ...kind.beside }, options)}
              onSaved={(saved) => {
                queries.setQueryData(queryKey, saved)
                void queries.invalidateQueries({ queryKey: keyOf(kind.name) })
                void queries.invalidateQueries({ queryKey: keyOf('events') })
              }}
            />
            {may(['events', 'list']) && (
              <Suspense>
                <RecordActivity id={id} />
              </Suspense>
            )}
          </Stack>
        </PageLayout>
      )}
    </LoadedPage>
  )
}

/** Deletes a record, and goes back to the list. */
function DeleteButton({ kind, record }: { readonly kind: RecordKind; readonly record: Plain }) {
  const { client, channel } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const title = kind.titleOf(record)
  const remove = async (options: CallOptions) => {
    await plainCalls(client, kind.name).remove(record._id, { ...options, query: kind.beside })
    // Deleting the record discards unsaved changes, so the guard does not ask.
    await navigate({ to: kind.path, ignoreBlocker: true })
    queries.removeQueries({ queryKey: keyOf(kind.name, channel._id, 'record', record._id) })
  }
  return (
    <RemoveButton
      label={strings.delete}
      icon="trash"
      question={strings.deleteQuestion(title)}
      about={strings.deleteAbout}
      run={remove}
      done={strings.deleted(title)}
      failed={strings.notDeleted(title)}
      stale={[keyOf(kind.name)]}
    />
  )
}
