import { Kbd, Table } from '@mantine/core'
import { Dialog } from '../../ui/form-dialog.js'
import { noticeKey } from '../../ui/notices.js'
import { strings } from './strings.js'

const control = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl+'

const shortcuts: readonly (readonly [keys: string, about: string])[] = [
  [`${control}K`, strings.find],
  [noticeKey, strings.notice],
  [`${control}S`, strings.save],
  ['/', strings.search],
  ['Shift+Space', strings.range],
  ['Esc', strings.close],
  ['?', strings.shortcuts],
]

interface ShortcutsDialogProps {
  readonly isOpen: boolean
  onClose(): void
}

/** The keyboard shortcuts that work on every page. */
export const ShortcutsDialog = ({ isOpen, onClose }: ShortcutsDialogProps) => (
  <Dialog title={strings.title} isOpen={isOpen} onClose={onClose}>
    <Table>
      <Table.Tbody>
        {shortcuts.map(([keys, about]) => (
          <Table.Tr key={keys}>
            <Table.Th scope="row" w="9rem">
              <Kbd>{keys}</Kbd>
            </Table.Th>
            <Table.Td>{about}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Dialog>
)
