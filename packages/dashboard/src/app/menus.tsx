import { Menu, Text, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession } from '../data/session.js'
import { Icon } from '../ui/icons.js'
import { SignOut } from '../ui/sign-out.js'
import { strings as common } from '../ui/strings.js'
import { useLeave } from '../ui/use-leave.js'
import { AccountButton, ChannelButton } from './menu-buttons.js'
import { showShortcuts } from './shortcuts/open-shortcuts.js'
import { strings } from './strings.js'

export interface LateProps {
  /** Whether the button was pressed before the menu had loaded. */
  readonly isWanted: boolean
}

const themes = ['auto', 'light', 'dark'] as const

/** The signed-in user, the theme, and signing out. */
export function AccountMenu({ isWanted }: LateProps) {
  const { user } = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const menu = (signOut: () => void) => (
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
        <Menu.Item leftSection={<Icon name="list" />} onClick={showShortcuts}>
          {strings.shortcuts}
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
        <Menu.Item leftSection={<Icon name="out" />} onClick={signOut}>
          {strings.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
  return <SignOut where="here">{menu}</SignOut>
}

/** The menu of the other channels. */
export function ChannelMenu({ isWanted }: LateProps) {
  const { channel, channels, chooseChannel } = useSession()
  const leave = useLeave()
  const choose = (id: string) => void leave(() => chooseChannel(id))
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
                {common.roles[role]}
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
