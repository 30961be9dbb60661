import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Config } from '../config/config.js'
import { meant } from '../lib/nearest.js'

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
  return readArguments(args, { options }).values
}

/** The arguments of a command that has no options. */
export const readWords = (args: readonly string[]): readonly string[] =>
  readArguments(args, { options: {}, allowPositionals: true }).positionals

/** The options and the other arguments of a command. */
export function readArguments<const C extends Omit<ParseArgsConfig, 'args'> & { options: OptionTypes }>(
  args: readonly string[],
  config: C,
): ReturnType<typeof parseArgs<C>> {
  try {
    return parseArgs({ ...config, args: [...args] }) as ReturnType<typeof parseArgs<C>>
  } catch (error) {
    throw new UsageError(explained(error as Error & { code?: string }, args, config.options))
  }
}

/** The sentence of the parser, except for an option that there is not: it may be a misspelt one. */
function explained(
  { code, message }: Error & { code?: string },
  args: readonly string[],
  options: OptionTypes,
) {
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return 'This command takes no other arguments.'
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return message
  const names = Object.keys(options).map((name) => `--${name}`)
  const given = args.map((arg) => arg.replace(/=.*$/, ''))
  const wrong = given.find((name) => name.startsWith('-') && !names.includes(name)) ?? ''
  return `There is no option ${wrong} here${meant(wrong, names)}.`
}
