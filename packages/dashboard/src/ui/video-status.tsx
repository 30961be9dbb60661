import { Badge, Group, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/keys.js'
import type { Video } from '../data/records.js'
import { useSession } from '../data/session.js'
import { percentSent, useUploads } from '../data/upload-list.js'
import { type JudgedVideo, type Label, stateOf } from './video-state.js'
import classes from './video-status.module.css'

type ShownVideo = JudgedVideo & Pick<Video, '_id'>

/** The status of a video, and who may watch it if not everybody. */
export const VideoStatus = ({ video }: { readonly video: ShownVideo }) =>
  video.status === 'ready' || video.status === 'deleted' ? (
    <Labels video={video} />
  ) : (
    <ArrivingLabels video={video} />
  )

const lookAgainMs = 3000

/** The same for a video whose film may be on its way: from this tab, or from elsewhere. */
function ArrivingLabels({ video }: { readonly video: ShownVideo }) {
  const { client, channel, may } = useSession()
  const own = useUploads().find(({ videoId, state }) => videoId === video._id && state !== 'done')
  const isUploading = video.status === 'uploading'
  const { data } = useQuery({
    queryKey: keyOf('uploads', channel._id, 'list', 'progress'),
    queryFn: ({ signal }) => client.uploads.list({ per_page: 100 }, { signal }),
    enabled: isUploading && !own && may(['uploads', 'list']),
    refetchInterval: lookAgainMs,
  })
  // What was fetched earlier is kept, also when the film has arrived.
  const elsewhere = isUploading ? data?.response.find(({ video_id }) => video_id === video._id) : undefined
  const percent = own && own.state !== 'failed' ? percentSent(own) : elsewhere?.progress
  return <Labels video={video} percent={percent} />
}

interface LabelsProps {
  readonly video: ShownVideo
  readonly percent?: number | undefined
}

function Labels({ video, percent }: LabelsProps) {
  const { words, tone, reason, notes } = stateOf(video, { percent })
  return (
    <Group gap={6} wrap="nowrap" miw={0}>
      <One words={words} tone={tone} reason={tone === 'bad' ? reason : undefined} />
      {notes.map((note) => (
        <One key={note.words} {...note} reason={note.tone === 'bad' ? reason : undefined} />
      ))}
    </Group>
  )
}

const One = ({ words, tone, reason }: Label & { readonly reason: string | undefined }) => (
  <Badge className={classes[tone]} variant="default" tt="none" fw={500} miw={0} title={reason ?? words}>
    {words}
    {reason && <VisuallyHidden>: {reason}</VisuallyHidden>}
  </Badge>
)
