export const strings = {
  title: 'Player',
  about: 'How the player looks wherever your videos are embedded. An embed URL can override these settings.',
  preview: 'Preview',
  previewAbout: 'Shows your changes before you save them.',
  player: (title: string) => `Player: ${title}`,
  none: 'Upload a video to preview the player.',
  look: 'Appearance',
  start: 'Playback',
} as const
