import type { CallOptions } from '@zoetrope/sdk'
import type { Values } from '../resource-form/values.js'
import { strings } from '../strings.js'
import { useUndoable } from '../use-undoable.js'
import { type Edit, type SavedOver, useConflict } from './use-conflict.js'
import { useRepeatedSave } from './use-repeated-save.js'

type Write<T> = (values: Values, options: CallOptions) => Promise<T>

/**
 * Saves what people have typed: without overwriting others unseen, once even if the answer is lost, and again when the
 * connection is back. `submit` is called to try again.
 */
export function useSafeSave(submit: () => void) {
  const report = useUndoable()
  const { save, dialog } = useConflict()
  const { notice, note, keyFor } = useRepeatedSave(submit)
  const writeOnce = <T>(write: Write<T>, values: Values, options: CallOptions = {}) =>
    write(values, { ...options, idempotencyKey: keyFor(values) })
  const saveOnce = <T>(edit: Edit<T>, options?: CallOptions): Promise<SavedOver<T>> =>
    save({ ...edit, write: (values, others) => writeOnce(edit.write, values, { ...options, ...others }) })
  return {
    /** Tells what becomes of the changes if the server cannot be reached. */
    notice,
    /** Asks whose changes to keep. */
    dialog,
    /** Call with the error of each attempt, and without one after a success. */
    note,
    create: <T>(values: Values, write: Write<T>): Promise<T> => writeOnce(write, values),
    update: saveOnce,
    /** Updates, and reports the success with an undo. */
    updateUndoably: <T>(edit: Edit<T>, done: (record: T) => string): Promise<SavedOver<T>> =>
      report<SavedOver<T>>(
        ({ record, isWritten }) => (isWritten ? done(record) : strings.conflict.taken),
        (options) => saveOnce(edit, options),
        'saved',
      ),
  }
}
