import { StartError } from '../config/config.js'
import type { Db } from '../db/database.js'
import { countObjects } from '../library/contents.js'
import { countMoved } from '../library/moved.js'
import { lastMove } from '../library/moves.js'
import { countAside, keptDays } from '../library/set-aside.js'
import { libraryTrouble } from '../library/trouble.js'
import { type Verified, verifyLibrary } from '../library/verify.js'
import type { OpenedPlaces } from '../storage/two-places.js'
import { amount, sizeOf } from './amounts.js'
import { type Command, readOptions } from './define-command.js'
import { progressOf } from './storage-move.command.js'
import { withPlaces } from './with-platform.js'

export const storageStatus: Command = {
  usage: 'zoetrope storage status',
  about: 'Shows where the films are, how much there is, what is still in the old place, and what waits.',
  async run(args, context) {
    readOptions(args, {})
    await withPlaces(context, async ({ db }, places) => {
      for (const line of await statusLines(db, places)) context.print(line)
    })
  },
}

async function statusLines(db: Db, places: OpenedPlaces): Promise<string[]> {
  const { storage, current, old } = places
  const here = await countObjects(current.storage)
  const free = await storage.freeBytes()
  let uploads = 0
  for await (const _upload of storage.listUploads()) uploads += 1
  const lines = [
    `Place: ${current.name}. ${amount(here.films, 'film')}, ${amount(here.objects, 'file')}, ${sizeOf(here.bytes)}.`,
    `Free space: ${free === undefined ? 'unknown' : sizeOf(free)}.`,
    `Unfinished uploads: ${uploads}.`,
    `Set aside: ${amount(await countAside(storage), 'film')}, deleted after ${keptDays} days.`,
  ]
  if (old) {
    const there = await countObjects(old.storage)
    const moved = await countMoved(old.storage)
    lines.push(
      `Still in the old place, ${old.name}: ${amount(there.films, 'film')}, ${amount(there.objects, 'file')}, ${sizeOf(there.bytes)}.`,
      `Moved and kept in the old place for a day: ${amount(moved.objects, 'file')}, ${sizeOf(moved.bytes)}.`,
    )
  }
  const move = await lastMove(db)
  if (move)
    lines.push(
      `${move.ended_at ? 'Last move' : move.is_running ? 'Moving' : 'Move stopped'}, ${move.from} to ${move.to}: ${progressOf(move)}.`,
    )
  lines.push((await libraryTrouble(db, places)) ?? 'The storage belongs to this database.')
  return lines
}

export const storageVerify: Command = {
  usage: 'zoetrope storage verify [--deep]',
  about:
    'Looks for every uploaded film, audio track and picture that the database names, with its size; with --deep also reads the uploads and compares their digests. Names what is missing. Changes nothing.',
  async run(args, context) {
    const { deep: isDeep } = readOptions(args, { deep: { type: 'boolean', default: false } })
    await withPlaces(context, async ({ db }, { storage }) => {
      let shownAt = performance.now()
      const onProgress = (checked: number) => {
        if (performance.now() - shownAt < 2000) return
        shownAt = performance.now()
        context.print(`${amount(checked, 'file')} checked`)
      }
      const verified = await verifyLibrary(db, storage, { isDeep, onProgress })
      const { films, audioTracks, pictures } = verified
      context.print(
        `Checked ${amount(films, 'film')}, ${amount(audioTracks, 'audio track')} and ${amount(pictures, 'picture')}.`,
      )
      if (verified.missing + verified.wrong > 0) throw new StartError(complaints(verified))
      context.print(isDeep ? 'All are there and unchanged.' : 'All are there, with the right size.')
    })
  },
}

const troubles = { missing: 'is missing', size: 'has another size', digest: 'has other bytes' }

const complaints = ({ missing, wrong, examples }: Verified): string[] => [
  `${missing} are missing, and ${wrong} are not as they were. Restore them from a backup, or upload the films again.`,
  ...examples.map(({ key, trouble }) => `  ${key} ${troubles[trouble]}`),
]
