import { RecordPage } from '../../ui/record-pages/record-page.js'
import { RecordRules } from '../../ui/rule-list/record-rules.js'
import { playlists } from './kind.js'
import { strings } from './strings.js'
import { PlaylistVideos } from './videos.js'

export const Page = () => (
  <RecordPage kind={playlists}>
    {({ _id, playlist_type, updated_at }) => (
      <>
        <PlaylistVideos id={_id} isManual={playlist_type === 'manual'} version={String(updated_at)} />
        <RecordRules name="playlist_content_rules" parentId={_id} {...strings.ownRules} />
      </>
    )}
  </RecordPage>
)
