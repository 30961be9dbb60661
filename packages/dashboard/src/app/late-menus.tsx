import { Text } from '@mantine/core'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { useSession } from '../data/session.js'
import { AccountButton, type ButtonProps, ChannelButton } from './menu-buttons.js'
import type { LateProps } from './menus.js'

/** Menus bring much along that nothing else on the first page needs: their buttons are there before they are. */
const load = () => import('./menus.js')
const again = () => window.location.reload()

/** If the menus did not come, their buttons fetch everything once more. */
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

/** A button whose menu comes after it, and opens then if it was pressed meanwhile. */
function Late({ button: Opener, menu: Opened }: MenuProps) {
  const [isWanted, setIsWanted] = useState(false)
  return (
    <Suspense fallback={<Opener onClick={() => setIsWanted(true)} />}>
      <Opened isWanted={isWanted} />
    </Suspense>
  )
}

export const AccountMenu = () => <Late button={AccountButton} menu={LateAccountMenu} />

/** Which channel is worked on, and the way to the others if there are any. */
export function ChannelMenu() {
  const { channel, channels } = useSession()
  if (channels.length > 1) return <Late button={ChannelButton} menu={LateChannelMenu} />
  return (
    <Text size="sm" fw={500} truncate>
      {channel.name}
    </Text>
  )
}
