import { Text } from '@mantine/core'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { useSession } from '../data/session.js'
import { AccountButton, type ButtonProps, ChannelButton } from './menu-buttons.js'
import type { LateProps } from './menus.js'

/** Menus need code that nothing else on the first page uses, so they load after their buttons. */
const load = () => import('./menus.js')
const again = () => window.location.reload()

/** If the menus fail to load, their buttons reload the page. */
const LateAccountMenu = lazy(() =>
  load().then(
    ({ AccountMenu: Menu }) => ({ default: Menu }),
    () => ({ default: () => <AccountButton onClick={again} /> }),
  ),
)
const LateChannelMenu = lazy(() =>
  load().then(
    ({ ChannelMenu: Menu }) => ({ default: Menu }),
    () => ({ default: () => <ChannelButton onClick={again} /> }),
  ),
)

interface MenuProps {
  readonly button: ComponentType<ButtonProps>
  readonly menu: ComponentType<LateProps>
}

/** A button whose menu loads later. If it is pressed before that, the menu opens once loaded. */
function Late({ button: Opener, menu: Opened }: MenuProps) {
  const [isWanted, setIsWanted] = useState(false)
  return (
    <Suspense fallback={<Opener onClick={() => setIsWanted(true)} />}>
      <Opened isWanted={isWanted} />
    </Suspense>
  )
}

export const AccountMenu = () => <Late button={AccountButton} menu={LateAccountMenu} />

/** Shows the current channel, and a menu of the others if there are any. */
export function ChannelMenu() {
  const { channel, channels } = useSession()
  if (channels.length > 1) return <Late button={ChannelButton} menu={LateChannelMenu} />
  return (
    <Text size="sm" fw={500} truncate>
      {channel.name}
    </Text>
  )
}
