import { ActionIcon, type ActionIconProps, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from './icons.js'

interface MoreMenuProps extends Pick<ActionIconProps, 'variant' | 'color' | 'size' | 'hiddenFrom'> {
  readonly label: string
  /** The items of the menu. */
  readonly children: ReactNode
}

/** A button with three dots that opens a menu of further actions. */
export const MoreMenu = ({ label, children, variant = 'default', ...rest }: MoreMenuProps) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <ActionIcon variant={variant} aria-label={label} {...rest}>
        <Icon name="more" />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
)

interface DeleteItemProps {
  readonly children: string
  onClick(): void
}

/** The item of a menu that deletes what the menu is about. */
export const DeleteItem = ({ children, onClick }: DeleteItemProps) => (
  <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={onClick}>
    {children}
  </Menu.Item>
)
