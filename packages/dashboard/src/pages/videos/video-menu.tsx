import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Video } from '../../data/records.js'
import { uploadSearch } from '../../ui/define-search.js'
import { Icon } from '../../ui/icons.js'
import { DeleteItem, MoreMenu } from '../../ui/more-menu.js'
import { isUnwatchable } from '../../ui/video-state.js'
import { strings } from './strings.js'
import type { OneActions } from './use-actions.js'

interface VideoMenuProps {
  readonly video: Video
  readonly bulk: OneActions
}

/** Actions on one video without opening it. */
export const VideoMenu = ({ video, bulk }: VideoMenuProps) => (
  <MoreMenu label={strings.actions(video.title)} variant="subtle" color="gray">
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
    {!isUnwatchable(video) && (
      <Menu.Item
        leftSection={<Icon name={video.active ? 'hidden' : 'eye'} />}
        onClick={() => void bulk.setActive([video], !video.active)}
      >
        {video.active ? strings.unpublish : strings.publish}
      </Menu.Item>
    )}
    <DeleteItem onClick={() => void bulk.remove([video])}>{strings.delete}</DeleteItem>
  </MoreMenu>
)
