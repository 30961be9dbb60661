import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Icon } from '../../ui/icons.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { zobjectTypes } from './kind.js'
import { strings } from './strings.js'

export const Page = () => (
  <RecordPage
    kind={zobjectTypes}
    actions={({ _id }) => (
      <Button
        variant="default"
        leftSection={<Icon name="shapes" />}
        renderRoot={(props) => <Link to={`/zobjects/${_id}`} {...props} />}
      >
        {strings.objects}
      </Button>
    )}
  />
)
