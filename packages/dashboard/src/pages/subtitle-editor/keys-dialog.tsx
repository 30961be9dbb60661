import { Kbd } from '@mantine/core'
import { Dialog } from '../../ui/form-dialog.js'
import classes from './editor.module.css'
import { shortcuts } from './keys.js'
import { strings } from './strings.js'

/** The list of keyboard shortcuts. */
export const KeysDialog = ({ isOpen, onClose }: { readonly isOpen: boolean; onClose(): void }) => (
  <Dialog title={strings.keys} isOpen={isOpen} onClose={onClose} isWide>
    <dl className={classes.keys}>
      {shortcuts.map(([keys, about]) => (
        <div key={keys} style={{ display: 'contents' }}>
          <dt>
            <Kbd>{keys}</Kbd>
          </dt>
          <dd>{about}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
