import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession } from '../data/session.js'
import { Icon } from '../ui/icons.js'
import { sayFailed } from '../ui/notices.js'
import { strings } from './strings.js'

const themes = ['auto', 'light', 'dark'] as const

/** Who is signed in, the theme, and the way out. */
export function AccountMenu() {
  const { user, signOut } = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" radius="xl" aria-label={strings.account(user.email)}>
          <Icon name="user" />
        </ActionIcon>
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
          onClick={() => signOut().catch((error) => sayFailed(strings.signOutFailed, error))}
        >
          {strings.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
