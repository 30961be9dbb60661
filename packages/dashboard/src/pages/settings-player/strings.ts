export const strings = {
  title: 'Player',
  about:
    'How your films look wherever they are embedded. An address of a player can say otherwise for itself.',
  preview: 'Preview',
  previewAbout: 'With what you have chosen, saved or not. The logo shows once it is saved.',
  player: (title: string) => `Player: ${title}`,
  none: 'Upload a film to see it in the player.',
  look: 'Look',
  start: 'How it begins',
} as const
