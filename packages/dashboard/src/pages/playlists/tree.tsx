import { Anchor, Button, List, Paper } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { Icon } from '../../ui/icons.js'
import { PageLayout } from '../../ui/page.js'
import { Empty, Loaded } from '../../ui/states.js'
import { strings } from './strings.js'

interface Node {
  readonly id: string
  readonly title: string
  readonly playlists?: readonly Node[] | null
}

/** The playlists as a tree. */
export function PlaylistTree({ actions }: { readonly actions: ReactNode }) {
  const { client, channel, mayEdit } = useSession()
  const query = useQuery({
    queryKey: keyOf('playlists', channel._id, 'list', 'tree'),
    queryFn: ({ signal }) => client.playlists.relationships({}, { signal }) as Promise<readonly Node[]>,
  })
  const create = mayEdit && (
    <Button
      renderRoot={(props) => <Link to="/playlists/new" {...props} />}
      leftSection={<Icon name="plus" />}
    >
      {strings.create}
    </Button>
  )
  return (
    <PageLayout
      title={strings.title}
      about={strings.about}
      actions={
        <>
          {actions}
          {create}
        </>
      }
    >
      <Loaded query={query}>
        {(nodes) =>
          nodes.length === 0 ? (
            <Empty icon="list" title={strings.empty} about={strings.emptyAbout} />
          ) : (
            <Paper withBorder p="lg">
              <Branch nodes={nodes} />
            </Paper>
          )
        }
      </Loaded>
    </PageLayout>
  )
}

const Branch = ({ nodes }: { readonly nodes: readonly Node[] }) => (
  <List spacing="xs" withPadding listStyleType="none" icon={<Icon name="list" size={14} />}>
    {nodes.map(({ id, title, playlists }) => (
      <List.Item key={id}>
        <Anchor component={Link} to={`/playlists/${id}`}>
          {title}
        </Anchor>
        {playlists && playlists.length > 0 && <Branch nodes={playlists} />}
      </List.Item>
    ))}
  </List>
)
