import { type Command, UsageError } from './commands/define-command.js'
import { commands, formerCommands } from './commands/index.js'
import { misspeltSettings } from './commands/misspelt-settings.js'
import { readConfig, StartError } from './config/config.js'
import { settings } from './config/settings.js'
import { databaseTrouble } from './db/database-trouble.js'
import { meant } from './lib/nearest.js'
import { version } from './version.js'

/** Where a command writes what it prints, and what went wrong. */
interface CommandOutput {
  out(text: string): void
  error(text: string): void
}

/** Runs a command with messages in full sentences; returns the exit code. */
export async function runCommandLine(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  output: CommandOutput,
): Promise<number> {
  const say = (text: string): number => {
    output.out(`${text}\n`)
    return 0
  }
  const complain = (lines: readonly string[]): number => {
    output.error(`${lines.join('\n')}\n`)
    return 1
  }
  if (args.includes('--help') || args.includes('-h') || args.length === 0)
    return say(help(choose(args).command))
  if (args.includes('--version')) return say(version)
  const { command, rest } = choose(args)
  if (!command)
    return complain([
      `There is no command "${args.join(' ')}"${meant(args.slice(0, 2).join(' '), Object.keys(commands))}.`,
      '`zoetrope --help` lists them.',
    ])
  try {
    const { config, problems } = readConfig(env)
    output.error(
      misspeltSettings(env)
        .map((sentence) => `${sentence}\n`)
        .join(''),
    )
    await command.run(rest, { config, problems, print: say })
    return 0
  } catch (error) {
    if (error instanceof UsageError) return complain([error.message, `Usage: ${command.usage}`])
    if (error instanceof StartError) return complain([error.message])
    const trouble = databaseTrouble(error, 'carry out a statement')
    if (trouble !== undefined) return complain([trouble])
    return complain([
      'Zoetrope stopped because of an unexpected fault:',
      (error as Error).stack ?? String(error),
    ])
  }
}

function choose(args: readonly string[]) {
  const [first = '', second = ''] = args
  const words = `${first} ${second}`
  const two = commands[words] ?? formerCommands[words]
  return two ? { command: two, rest: args.slice(2) } : { command: commands[first], rest: args.slice(1) }
}

function help(one: Command | undefined): string {
  if (one)
    return [
      `Usage: ${one.usage}`,
      '',
      one.about,
      '',
      '`zoetrope --help` lists all commands and settings.',
    ].join('\n')
  const widest = Math.max(...Object.keys(settings).map((name) => name.length))
  return [
    'Zoetrope, the open video platform.',
    '',
    'Commands:',
    ...Object.values(commands).flatMap(({ usage, about }) => [`  ${usage}`, `      ${about}`]),
    '',
    'Settings, from the environment:',
    ...Object.entries(settings).map(
      ([name, { about, fallback }]) => `  ${name.padEnd(widest)}  ${about} Default: ${fallback}.`,
    ),
    '',
    'The API reference is at /docs of a running server.',
  ].join('\n')
}
