import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Plain, plainCalls } from '../../data/plain.js'
import { useSession } from '../../data/session.js'
import { Icon } from '../icons.js'
import { PageLayout } from '../page.js'
import { ResourceTable } from '../resource-table/resource-table.js'
import { useResourceList } from '../resource-table/use-resource-list.js'
import { Empty } from '../states.js'
import type { RecordKind } from './record-kind.js'

interface ListPageProps {
  readonly kind: RecordKind
  /** Buttons beside the one that creates a record. */
  readonly actions?: ReactNode
  /** Shown above the table. */
  readonly children?: ReactNode
}

/** The list of the records of a resource. */
export function ListPage({ kind, actions, children }: ListPageProps) {
  const { client, may } = useSession()
  const list = useResourceList<Plain>({
    resource: kind.resource,
    name: kind.name,
    list: plainCalls(client, kind.name).list,
    ...(kind.base ? { base: kind.base } : {}),
  })
  const create = may([kind.name, 'create']) && <CreateLink kind={kind} />
  const { title, about, empty, emptyAbout } = kind.strings
  return (
    <PageLayout
      title={title}
      about={about}
      actions={
        <>
          {actions}
          {create}
        </>
      }
    >
      {children}
      <ResourceTable
        list={list}
        words={kind.words}
        columns={kind.columns}
        filters={kind.filters}
        nameOf={kind.titleOf}
        to={({ _id }) => `${kind.path}/${_id}`}
        empty={
          <Empty icon={kind.icon} title={empty} about={emptyAbout}>
            {create}
          </Empty>
        }
      />
    </PageLayout>
  )
}

const CreateLink = ({ kind }: { readonly kind: RecordKind }) => (
  <Button
    renderRoot={(props) => <Link to={`${kind.path}/new`} {...props} />}
    leftSection={<Icon name="plus" />}
  >
    {kind.strings.create}
  </Button>
)
