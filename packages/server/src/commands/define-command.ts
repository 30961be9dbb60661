import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Config } from '../config/config.js'

/** A command of the command line: its syntax, its description and its function. */
export interface Command {
  readonly usage: string
  readonly about: string
  readonly run: (args: readonly string[], context: CommandContext) => Promise<void>
}

export interface CommandContext {
  readonly config: Config
  /** Problems found while reading the settings. */
  readonly problems: readonly string[]
  readonly print: (line: string) => void
}

/** The command line cannot be understood. */
export class UsageError extends Error {}

type OptionTypes = NonNullable<ParseArgsConfig['options']>

/** The options of a command that takes nothing else. */
export function readOptions<O extends OptionTypes>(
  args: readonly string[],
  options: O,
): ReturnType<typeof parseArgs<{ options: O }>>['values'] {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
