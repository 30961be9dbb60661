import type { Video } from '../data/records.js'

type Shown = Pick<Video, 'status' | 'active'> & Partial<Pick<Video, 'enable_at'>>

export interface Badge {
  readonly words: string
  readonly tone: 'good' | 'busy' | 'bad' | 'quiet'
}

/** Statuses that prevent watching, whatever the other settings are. */
const obstacles: Readonly<Partial<Record<Video['status'], Badge>>> = {
  deleted: { words: 'Deleted', tone: 'quiet' },
  failed: { words: 'Failed', tone: 'bad' },
  uploading: { words: 'Uploading', tone: 'busy' },
  processing: { words: 'Processing', tone: 'busy' },
  created: { words: 'No film yet', tone: 'quiet' },
}

/** The badge of a video: what prevents watching if anything does, otherwise whether viewers see it. */
export function badgeOf({ status, active, enable_at }: Shown, now = Date.now()): Badge {
  const obstacle = obstacles[status]
  if (obstacle) return obstacle
  if (active) return { words: 'Published', tone: 'good' }
  return enable_at && Date.parse(enable_at) > now
    ? { words: 'Scheduled', tone: 'busy' }
    : { words: 'Unpublished', tone: 'quiet' }
}
