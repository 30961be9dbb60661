import { ActionIcon, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Video } from '../../data/records.js'
import { uploadSearch } from '../../ui/define-search.js'
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
      {video.status === 'failed' && (
        <Menu.Item
          leftSection={<Icon name="upload" />}
          renderRoot={(props) => (
            <Link to="/upload" search={uploadSearch.to({ video_id: video._id })} {...props} />
          )}
        >
          {strings.replace}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<Icon name={video.active ? 'hidden' : 'eye'} />}
        onClick={() => void bulk.setActive([video], !video.active)}
      >
        {video.active ? strings.unpublish : strings.publish}
      </Menu.Item>
      <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => void bulk.remove([video])}>
        {strings.delete}
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
)
