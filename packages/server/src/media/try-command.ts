import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Whether a command can be run here and succeeds. */
export const runs = (program: string, args: readonly string[]): Promise<boolean> =>
  promisify(execFile)(program, args, { timeout: 5000 }).then(
    () => true,
    () => false,
  )
