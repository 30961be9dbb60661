import type { History } from '../resource.js'

export const videoHistory = {
  quiet: [
    'request_count',
    'rating',
    'renditions',
    'data_sources',
    'video_source_types',
    'transcoded',
    'status',
    'status_reason',
    'playable_at',
    'complete_at',
    'duration',
    'precise_duration',
    'preview_url',
    'related_playlist_ids',
  ],
  milestones: {
    playable: { about: 'A film can be played for the first time.', when: 'playable_at set' },
    complete: { about: 'A film is finished in every format.', when: 'complete_at set' },
    failed: { about: 'A film could not be made.', when: 'status is failed' },
  },
} as const satisfies History
