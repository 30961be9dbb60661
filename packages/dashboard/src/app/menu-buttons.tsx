import { ActionIcon, Button, Text } from '@mantine/core'
import type { RefAttributes } from 'react'
import { useSession } from '../data/session.js'
import { Icon } from '../ui/icons.js'
import { strings } from './strings.js'

export interface ButtonProps extends RefAttributes<HTMLButtonElement> {
  readonly onClick?: () => void
}

export function AccountButton(props: ButtonProps) {
  const { user } = useSession()
  return (
    <ActionIcon variant="default" size="lg" radius="xl" aria-label={strings.account(user.email)} {...props}>
      <Icon name="user" />
    </ActionIcon>
  )
}

export function ChannelButton(props: ButtonProps) {
  const { channel } = useSession()
  return (
    <Button
      variant="default"
      size="sm"
      maw="16rem"
      rightSection={<Icon name="down" />}
      aria-label={strings.chooseChannel(channel.name)}
      {...props}
    >
      <Text component="span" inherit truncate>
        {channel.name}
      </Text>
    </Button>
  )
}
