import { Button, Menu, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useSession } from '../data/session.js'
import { Icon } from '../ui/icons.js'
import { strings } from './strings.js'

/** Which channel is worked on, and the way to the others. */
export function ChannelMenu() {
  const { channel, channels, chooseChannel } = useSession()
  const navigate = useNavigate()
  if (channels.length < 2)
    return (
      <Text size="sm" fw={500} truncate>
        {channel.name}
      </Text>
    )
  const choose = (id: string) => {
    chooseChannel(id)
    void navigate({ to: '/' })
  }
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          maw="16rem"
          rightSection={<Icon name="down" />}
          aria-label={strings.chooseChannel(channel.name)}
        >
          <Text component="span" inherit truncate>
            {channel.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {channels.map(({ _id, name, role }) => (
          <Menu.Item
            key={_id}
            onClick={() => choose(_id)}
            leftSection={<Icon name={_id === channel._id ? 'check' : 'blank'} />}
            rightSection={
              <Text size="xs" c="dimmed">
                {strings.roles[role]}
              </Text>
            }
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
