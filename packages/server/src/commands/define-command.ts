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
  return readArguments(args, { options }).values
}

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
  const names = Object.keys(options)
  const given = args.map((arg) => arg.replace(/^--?|=.*$/g, ''))
  const [wrong = ''] = given.filter((name, index) => args[index]?.startsWith('-') && !names.includes(name))
  const near = names.find((name) => isNear(name, wrong))
  return `There is no option --${wrong} here.${near ? ` Did you mean --${near}?` : ''}`
}

/** Whether one word is the other with a letter more or less, another letter, or two letters swapped. */
function isNear(one: string, other: string): boolean {
  const sorted = (text: string) => [...text].sort().join('')
  const [short = '', long = ''] = [one, other].sort((a, b) => a.length - b.length)
  if (short.length === long.length)
    return (
      sorted(short) === sorted(long) || [...short].filter((letter, at) => letter !== long[at]).length === 1
    )
  return [...long].some((_, at) => long.slice(0, at) + long.slice(at + 1) === short)
}
