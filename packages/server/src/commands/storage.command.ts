import { StartError } from '../config/config.js'
import { objectPlace } from '../config/storage-url.js'
import type { Db } from '../db/database.js'
import { setDeletionTime } from '../library/deletion-clock.js'
import { takeLease } from '../library/lease.js'
import { adopt as adoptStorage } from '../library/owner.js'
import { keepOnly } from '../library/places.js'
import { bringBack, countAside, keptDays } from '../library/set-aside.js'
import { previewSweep, sweepLibrary, whyWait } from '../library/sweep.js'
import { libraryTrouble } from '../library/trouble.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import { placesIn } from '../open-media.js'
import type { Storage } from '../storage/storage.js'
import { type Command, type CommandContext, readOptions } from './define-command.js'
import { withPlaces, withPlatform } from './with-platform.js'

/** Nothing may be moved in a storage that may belong to another installation. */
const withOurStorage = <T>(context: CommandContext, work: (db: Db, storage: Storage) => Promise<T>) =>
  withPlaces(context, async ({ db }, places) => {
    const trouble = await libraryTrouble(db, places)
    if (trouble) throw new StartError([trouble])
    return work(db, places.storage)
  })

export const storageSweep: Command = {
  usage: 'zoetrope storage sweep [--confirm]',
  about: `Shows which films and images in the media storage belong to no video. With --confirm they are set aside, and deleted after ${keptDays} days.`,
  async run(args, context) {
    const isConfirmed = readOptions(args, { confirm: { type: 'boolean', default: false } }).confirm
    if (!isConfirmed)
      return withPlaces(context, async ({ db }, places) => {
        const { storage } = places
        print(context, await previewSweep(db, storage), await countAside(storage))
        const trouble = await libraryTrouble(db, places)
        if (trouble) context.print(trouble)
      })
    await withOurStorage(context, async (db, storage) => {
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
  if (!isIdle) say('Those younger than six hours stay for now: an upload that is under way may need them.')
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

export const adopt: Command = {
  usage: 'zoetrope adopt',
  about:
    'Confirms that this database is the one to go on with: the films in the media storage belong to it, it may be older than they are, no other server uses them, and its clock is right. Run it if the log, /readyz or Status name it. Deletes nothing.',
  async run(args, context) {
    readOptions(args, {})
    await withPlatform(context, async ({ database: { db } }) => {
      const { current } = placesIn(context.config)
      const storage = await current.open()
      await adoptStorage(db, storage)
      await takeLease(db, storage)
      await setDeletionTime(db)
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
