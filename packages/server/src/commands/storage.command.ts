import { StartError } from '../config/config.js'
import { objectPlace } from '../config/storage-url.js'
import type { Db } from '../db/database.js'
import { adopt } from '../library/owner.js'
import { keepOnly } from '../library/places.js'
import { bringBack, countAside, keptDays } from '../library/set-aside.js'
import { previewSweep, sweepLibrary, whyWait } from '../library/sweep.js'
import { pairingTrouble } from '../library/trouble.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import { placesIn } from '../open-media.js'
import type { Storage } from '../storage/storage.js'
import { storagesIn } from '../storage/two-places.js'
import { type Command, type CommandContext, readOptions } from './define-command.js'
import { withPlaces, withPlatform } from './with-platform.js'

/** Nothing may be moved in a storage that may belong to another installation. */
const withOurStorage = <T>(context: CommandContext, work: (db: Db, storage: Storage) => Promise<T>) =>
  withPlaces(context, async ({ db }, places) => {
    const trouble = await pairingTrouble(db, storagesIn(places))
    if (trouble) throw new StartError([trouble])
    return work(db, places.storage)
  })

export const storageSweep: Command = {
  usage: 'zoetrope storage sweep [--confirm]',
  about: `Shows which films and images in the media storage belong to no video. With --confirm they are set aside, and deleted after ${keptDays} days.`,
  async run(args, context) {
    const isConfirmed = readOptions(args, { confirm: { type: 'boolean', default: false } }).confirm
    await withOurStorage(context, async (db, storage) => {
      if (!isConfirmed) return print(context, await previewSweep(db, storage), await countAside(storage))
      const done = await sweepLibrary(db, storage, { isConfirmed })
      context.print(
        `Set aside ${done.setAside} films and images; brought back ${done.broughtBack} files, deleted ${done.removed} old ones.`,
      )
    })
  },
}

type Preview = Awaited<ReturnType<typeof previewSweep>>

function print({ print: say, config }: CommandContext, findings: Preview, aside: number): void {
  const { films, unknownFilms, unknownImages, others, examples } = findings
  say(`${films} films are in the media storage.`)
  say(`${unknownFilms} of them, and ${unknownImages} images, belong to no video of the database.`)
  for (const id of examples) say(`  ${objectPlace(config.storage, sourceKey(id))}`)
  if (unknownFilms > examples.length) say(`  … and ${unknownFilms - examples.length} more films`)
  say(`${others} more were removed with their videos, or can be made again.`)
  say(
    `${aside} films are set aside. They are deleted after ${keptDays} days, and come back if a video needs them.`,
  )
  const isIdle = unknownFilms + unknownImages + others === 0
  if (whyWait(findings)) say('So much is not set aside unasked: add --confirm if it is to be.')
  else if (!isIdle) say('The hourly sweep sets them aside by itself. Add --confirm to have it done now.')
}

export const storageRestore: Command = {
  usage: 'zoetrope storage restore',
  about:
    'Restores films and images that were set aside and belong to a video again. The hourly sweep does this automatically.',
  async run(args, context) {
    readOptions(args, {})
    await withOurStorage(context, async (db, storage) => {
      context.print(`Brought back ${await bringBack(db, storage)} files of films and images.`)
    })
  },
}

export const storageAdopt: Command = {
  usage: 'zoetrope storage adopt',
  about: 'Marks the media storage as belonging to this database when the two do not match. Deletes nothing.',
  async run(args, context) {
    readOptions(args, {})
    await withPlatform(context, async ({ database: { db } }) => {
      const { current } = placesIn(context.config)
      const storage = await current.open()
      await adopt(db, storage)
      await keepOnly(db, current.name)
      const { films, unknownFilms } = await previewSweep(db, storage)
      context.print('The media storage belongs to this database now.')
      if (unknownFilms > 0)
        context.print(
          `${unknownFilms} of its ${films} films belong to no video. \`zoetrope storage sweep\` says what becomes of them.`,
        )
    })
  },
}
