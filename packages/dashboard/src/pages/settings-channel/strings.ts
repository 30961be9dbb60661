export const strings = {
  title: 'Channel',
  about: 'How the channel is called, how its API counts, and where its films may be shown.',
  general: 'About the channel',
  api: 'API',
  apiAbout: 'Page numbers of lists. Apps can say otherwise for themselves.',
  domains: 'Domains',
  domainsAbout:
    'Sites that may show your films with a player key or a read-only key. Keys for servers and apps are not bound.',
  viewers: 'Viewers',
  films: 'Films',
  danger: 'Danger zone',
  dangerAbout: 'For owners. Read twice.',
  deleteVideos: 'Delete all videos',
  deleteVideosAbout: 'Every video of this channel, published or not. They can be restored for 30 days.',
  deleting: (left = 0) =>
    `Deleting: ${left.toLocaleString()} to go. The server does it, also when this page is closed.`,
  restoring: (there = 0) =>
    `Bringing back: ${there.toLocaleString()} are there. The server does it, also when this page is closed.`,
  deletedVideos: 'All videos are deleted',
  restored: 'The videos are back',
  notRestored: 'The videos are not back',
  undoDelete: (count: number) => `Bring back the ${count.toLocaleString()} videos`,
  deleteChannel: 'Delete this channel',
  deleteChannelAbout:
    'The channel with its videos, playlists, viewers, purchases, keys and people, for good. Nobody can bring it back.',
  deletedChannel: (name: string) => `Deleted the channel “${name}”`,
  typeName: (name: string) => `Type the name of the channel: ${name}`,
} as const
