import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { Icon } from '../../ui/icons.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import { strings } from '../zobject-types/strings.js'
import { WithType } from './with-type.js'

export function Page() {
  const { type = '' } = useParams({ strict: false }) as { type?: string }
  return (
    <WithType>
      {(kind) => (
        <ListPage
          key={type}
          kind={kind}
          actions={
            <Button
              variant="default"
              leftSection={<Icon name="settings" />}
              renderRoot={(props) => <Link to={`/zobject-types/${type}`} {...props} />}
            >
              {strings.fields}
            </Button>
          }
        />
      )}
    </WithType>
  )
}
