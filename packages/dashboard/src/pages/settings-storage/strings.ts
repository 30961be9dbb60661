import { percent, plural, span } from '../../ui/numbers.js'

export const strings = {
  title: 'Storage',
  about: 'Where the films of all channels of this server are kept.',
  place: 'Place',
  kinds: { disk: 'Disk of the server', s3: 'Bucket' },
  films: 'Films',
  originals: 'Originals',
  formats: 'Encoded formats',
  free: 'Free space',
  unknown: 'Unknown',
  oldPlace: (place: string) =>
    `Some films are still in the old place: ${place === 'disk' ? 'the disk of the server' : place}. They play from there until they have moved.`,
  move: 'Moving films',
  moved: 'Last move',
  stopped: 'Move stopped',
  way: (from: string, to: string) =>
    `From ${from === 'disk' ? 'the disk' : from} to ${to === 'disk' ? 'the disk' : to}`,
  files: (moved: string, total: string) => `${moved} of ${total} files`,
  size: (moved: string, total: string) => `${moved} of ${total}`,
  left: (seconds: number) => `about ${span(seconds)} left`,
  share: (moved: number) => `${percent(moved)} moved`,
  failed: (count: number) =>
    plural(count, {
      one: '# file could not be moved and stays where it is:',
      other: '# files could not be moved and stay where they are:',
    }),
  goesOn: 'The move is not running. Your administrator continues it with the command below.',
  check: 'Check',
  checkAbout: 'Tries everything that Zoetrope needs of the storage.',
  runCheck: 'Check storage',
  notChecked: 'The storage was not checked',
  allGood: 'The storage can do everything.',
  someFail: 'The storage cannot do everything. Uploads or films may fail.',
  never: 'Not checked yet.',
  works: (ability: string) => `${ability}:`,
  fails: (ability: string) => `${ability} fails:`,
  commands: 'For your administrator',
  commandsAbout:
    'The storage belongs to the whole server, so its settings are changed on the server and not here. Films play while they move.',
  setAddress: 'Keep films in the bucket: set this for every server and worker, and start them again',
  moveFilms: { s3: 'Move the films into the bucket', disk: 'Move the films to the disk' },
  setOld: 'Keep films on the disk again: remove STORAGE_URL, set this in its place, and start again',
  verify: 'Verify that every film is there and unchanged',
} as const
