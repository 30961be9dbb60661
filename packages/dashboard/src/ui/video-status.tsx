import { Badge, Group } from '@mantine/core'
import type { Video } from '../data/records.js'
import classes from './video-status.module.css'

const words: Readonly<Record<Video['status'], string>> = {
  created: 'No film yet',
  uploading: 'Uploading',
  processing: 'Processing',
  ready: 'Ready',
  failed: 'Failed',
  deleted: 'Deleted',
}
const published = 'Published'
const hidden = 'Unpublished'

const tones: Readonly<Record<Video['status'], string>> = {
  created: 'quiet',
  uploading: 'busy',
  processing: 'busy',
  ready: 'good',
  failed: 'bad',
  deleted: 'quiet',
}

/** Whether viewers see a video, and how far it is. */
export function VideoStatus({ video }: { readonly video: Pick<Video, 'status' | 'active'> }) {
  const { status, active } = video
  return (
    <Group gap={6}>
      <Badge className={classes[active ? 'good' : 'quiet']} variant="default" tt="none" fw={500}>
        {active ? published : hidden}
      </Badge>
      {status !== 'ready' && (
        <Badge className={classes[tones[status]]} variant="default" tt="none" fw={500}>
          {words[status]}
        </Badge>
      )}
    </Group>
  )
}
