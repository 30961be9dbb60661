import type { Config } from '../config.js'

/** A command of the terminal: what is typed, what it does, and the doing of it. */
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

/** The caller typed something that cannot be understood. */
export class UsageError extends Error {}
