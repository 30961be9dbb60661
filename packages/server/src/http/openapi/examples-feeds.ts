type Values = Readonly<Record<string, unknown>>

/** What makes examples of guides and feeds look like life. */
export const feedSamples: Readonly<Record<string, Values>> = {
  feed: {
    playlist_id: '65f0bada550123456789abcd',
    language: 'en',
    link: 'https://www.example.com/early-films',
  },
  feed_key: {
    name: 'Partner',
    key: 'zk_feed_…',
    mrss_url: 'https://video.example.org/feeds/65f0c0ffee0123456789abcd/mrss?feed_key=zk_feed_…',
    rss_url: 'https://video.example.org/feeds/65f0c0ffee0123456789abcd/rss?feed_key=zk_feed_…',
    json_url: 'https://video.example.org/feeds/65f0c0ffee0123456789abcd/json?feed_key=zk_feed_…',
  },
  video_source: {
    type: 'mrss',
    name: 'Early films',
    url: 'https://films.example/feed.xml',
    sync_interval: 'hourly',
    status: 'ready',
    refreshed_at: '2026-03-14T20:15:00.000Z',
    refresh_at: '2026-03-14T21:15:00.000Z',
    found_count: 50,
    added_count: 2,
    changed_count: 1,
    video_count: 118,
  },
  program_guide: {
    name: 'Channel one',
    url: 'https://guides.example/one.xml',
    language: ['en'],
    time_zone: 'Europe/Paris',
    status: 'synced',
    program_guide_entry_count: 336,
    refreshed_at: '2026-03-14T20:15:00.000Z',
  },
  program_guide_entry: {
    title: 'The Horse in Motion',
    subtitle: 'The first gallop',
    category: ['Documentary'],
    duration: 1800,
    start_time: '2026-03-14T20:00:00.000Z',
    end_time: '2026-03-14T20:30:00.000Z',
    start_time_with_offset: '2026-03-14T21:00:00.000+01:00',
    end_time_with_offset: '2026-03-14T21:30:00.000+01:00',
    time_zone: 'Europe/Paris',
  },
}
