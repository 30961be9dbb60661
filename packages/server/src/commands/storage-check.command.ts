import type { StorageCheck } from '@zoetrope/contract'
import { StartError } from '../config/config.js'
import { parseStorageUrl } from '../config/storage-url.js'
import { checkStorage, keepCheck } from '../library/check-storage.js'
import { orStartError } from '../open-media.js'
import { openStorageOf } from '../storage/open-storage.js'
import type { Storage } from '../storage/storage.js'
import { type Command, type CommandContext, readOptions, UsageError } from './define-command.js'
import { withPlaces } from './with-platform.js'

export const storageCheck: Command = {
  usage: 'zoetrope storage check [--url s3://…]',
  about:
    'Tries everything that is needed of the storage: writing, reading, ranges, uploads, lists, deleting and its clock. With --url it checks a bucket before the settings name it.',
  async run(args, context) {
    const { url } = readOptions(args, { url: { type: 'string' } })
    if (url !== undefined) return sayCheck(context, await checkStorage(await openAddress(context, url)))
    await withPlaces(context, async ({ db }, { current }) => {
      context.print(`Checks ${current.name}.`)
      const check = await checkStorage(current.storage)
      await keepCheck(db, check)
      sayCheck(context, check)
    })
  },
}

/** Opens a bucket that the settings do not name yet. */
async function openAddress({ config }: CommandContext, url: string): Promise<Storage> {
  const { settings, problems } = parseStorageUrl(url)
  if (!settings) throw new UsageError(problems.map((problem) => `The address ${problem}`).join(' '))
  return orStartError(
    openStorageOf(settings, { cacheDir: config.cacheDir, cacheBytes: config.cachedFilmBytes }),
  )
}

function sayCheck({ print }: CommandContext, { results }: StorageCheck): void {
  for (const { name, ok, sentence, remedy } of results)
    print(`${ok ? 'ok   ' : 'fails'}  ${name}: ${sentence}${remedy ? ` ${remedy}` : ''}`)
  const failed = results.filter(({ ok }) => !ok).length
  if (failed > 0) throw new StartError([`${failed} of ${results.length} checks failed.`])
  print('The storage can be used.')
}
