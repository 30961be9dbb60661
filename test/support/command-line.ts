import { runCommandLine } from '../../packages/server/src/command-line.js'
import { appendLog } from './log-files.js'
import { noteKeys } from './secrets.js'

/**
 * Runs a command to its end as the program does, but in this process: to load the program takes longer than most commands.
 * Like the program, the command sees only the given settings.
 */
export async function runHere(args: readonly string[], env: Readonly<Record<string, string>>) {
  let stdout = ''
  let stderr = ''
  const code = await runCommandLine(
    args,
    { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    {
      out: (text) => {
        stdout += text
      },
      error: (text) => {
        stderr += text
      },
    },
  )
  noteKeys(stdout)
  appendLog(`${args[0]}-stderr`, stderr)
  return { code, stdout, stderr }
}
