import { Anchor, Group, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { InputProps } from '../resource-form/input-props.js'
import { referenceTo } from '../resource-form/reference-input.js'
import { strings } from './strings.js'

const Choice = referenceTo('content_rule_profiles')

/** Selects a rule profile, with links to it and to the list of profiles. */
export const ProfileInput = (props: InputProps) => (
  <Stack gap="xs">
    <Choice {...props} label={strings.profile} />
    <Group gap="md">
      {typeof props.value === 'string' && props.value !== '' && (
        <Anchor component={Link} to={`/audience-rules/${props.value}`} size="sm">
          {strings.thisProfile}
        </Anchor>
      )}
      <Anchor component={Link} to="/audience-rules" size="sm">
        {strings.allProfiles}
      </Anchor>
    </Group>
  </Stack>
)
