import { Menu, Text, useMantineColorScheme } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useSession } from '../data/session.js'
import { Icon } from '../ui/icons.js'
import { sayFailed } from '../ui/notices.js'
import { AccountButton, ChannelButton } from './menu-buttons.js'
import { strings } from './strings.js'

export interface LateProps {
  /** It was asked for before it was there. */
  readonly isWanted: boolean
}

const themes = ['auto', 'light', 'dark'] as const

/** Who is signed in, the theme, and the way out. */
export function AccountMenu({ isWanted }: LateProps) {
  const { user, signOut } = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="bottom-end" width={240} defaultOpened={isWanted}>
      <Menu.Target>
        <AccountButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.name ?? user.email}</Menu.Label>
        <Menu.Item
          leftSection={<Icon name="user" />}
          renderRoot={(props) => <Link to="/account" {...props} />}
        >
          {strings.ownAccount}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{strings.theme}</Menu.Label>
        {themes.map((name) => (
          <Menu.Item
            key={name}
            onClick={() => setColorScheme(name)}
            leftSection={<Icon name={name === colorScheme ? 'check' : 'blank'} />}
          >
            {strings.themes[name]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<Icon name="out" />}
          onClick={() => signOut('here').catch((error) => sayFailed(strings.signOutFailed, error))}
        >
          {strings.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The way to the other channels. */
export function ChannelMenu({ isWanted }: LateProps) {
  const { channel, channels, chooseChannel } = useSession()
  const navigate = useNavigate()
  const choose = (id: string) => {
    chooseChannel(id)
    void navigate({ to: '/' })
  }
  return (
    <Menu position="bottom-start" width={260} defaultOpened={isWanted}>
      <Menu.Target>
        <ChannelButton />
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
