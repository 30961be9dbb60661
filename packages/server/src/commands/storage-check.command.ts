import { StartError } from '../config/config.js'
import { checkStorage, keepCheck, type StorageCheck } from '../library/check-storage.js'
import { type Command, type CommandContext, readOptions } from './define-command.js'
import { withPlaces } from './with-platform.js'

export const storageCheck: Command = {
  usage: 'zoetrope storage check',
  about:
    'Tries everything that is needed of the storage: writing, reading, ranges, uploads, lists, deleting and its clock.',
  async run(args, context) {
    readOptions(args, {})
    await withPlaces(context, async ({ db }, { current }) => {
      context.print(`Checks ${current.name}.`)
      const check = await checkStorage(current.storage)
      await keepCheck(db, check)
      sayCheck(context, check)
    })
  },
}

function sayCheck({ print }: CommandContext, { results }: StorageCheck): void {
  for (const { name, ok, sentence, remedy } of results)
    print(`${ok ? 'ok   ' : 'fails'}  ${name}: ${sentence}${remedy ? ` ${remedy}` : ''}`)
  const failed = results.filter(({ ok }) => !ok).length
  if (failed > 0) throw new StartError([`${failed} of ${results.length} checks failed.`])
  print('The storage can be used.')
}
