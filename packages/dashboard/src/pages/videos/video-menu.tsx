import { ActionIcon, Menu } from '@mantine/core'
import type { Video } from '../../data/records.js'
import { Icon } from '../../ui/icons.js'
import { strings } from './strings.js'
import type { OneActions } from './use-actions.js'

interface VideoMenuProps {
  readonly video: Video
  readonly bulk: OneActions
}

/** Actions on one video without opening it. */
export const VideoMenu = ({ video, bulk }: VideoMenuProps) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" aria-label={strings.actions(video.title)}>
        <Icon name="more" />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {video.status === 'deleted' ? (
        <Menu.Item leftSection={<Icon name="undo" />} onClick={() => void bulk.restore([video])}>
          {strings.restore}
        </Menu.Item>
      ) : (
        <>
          <Menu.Item
            leftSection={<Icon name={video.active ? 'hidden' : 'eye'} />}
            onClick={() => void bulk.setActive([video], !video.active)}
          >
            {video.active ? strings.unpublish : strings.publish}
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<Icon name="trash" />}
            onClick={() => void bulk.remove([video])}
          >
            {strings.delete}
          </Menu.Item>
        </>
      )}
    </Menu.Dropdown>
  </Menu>
)
