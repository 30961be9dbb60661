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
  verifyTitle: 'Verify',
  verifyAbout: 'Looks for every uploaded film, audio track and picture, and compares its size.',
  runVerify: 'Verify films',
  notVerified: 'The films were not verified',
  neverVerified: 'Not verified yet.',
  verifying: (files: number) =>
    plural(files, { one: '# file checked so far.', other: '# files checked so far.' }),
  verifyStopped: 'The last run was interrupted. Start it again.',
  allThere: (files: number) =>
    plural(files, {
      one: '# file is there, with the right size.',
      other: 'All # files are there, with the right size.',
    }),
  notThere: (missing: number, wrong: number) =>
    `${plural(missing, { one: '# file is missing', other: '# files are missing' })}, ${plural(wrong, { one: '# has', other: '# have' })} another size. Restore them from a backup, or upload the films again.`,
  troubles: { missing: 'is missing', size: 'has another size', digest: 'has other bytes' },
  commands: 'For your administrator',
  commandsAbout:
    'The storage belongs to the whole server, so its settings are changed on the server and not here. Films play while they move.',
  tryBucket: 'Try a bucket before you use it',
  setAddress: 'Keep films in the bucket: set this for every server and worker, and start them again',
  moveFilms: { s3: 'Move the films into the bucket', disk: 'Move the films to the disk' },
  setOld: 'Keep films on the disk again: remove STORAGE_URL, set this in its place, and start again',
  verify: 'Read every film, and verify that it is unchanged',
} as const
