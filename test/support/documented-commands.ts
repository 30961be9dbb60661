/** Runs the commands of a page of the documentation in order, in one shell, and compares what they print. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Page, root } from './markdown.js'

/** Where the commands of a page are run. */
export interface Reader {
  /** The folder that the shell is in, with the files that the page sends. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** What the page says, and what stands for it in the test: an address, a password, a folder. */
  readonly substitutes: Readonly<Record<string, string>>
  /** What the page asks its reader to type into a command. */
  readonly typed?: string
  /** Commands of another page that this page asks its reader to run first. */
  readonly first?: string
}

interface CommandBlock {
  readonly line: number
  readonly commands: string
  /** The output that the page shows below the commands. `…` stands for anything. */
  readonly output: string | undefined
}

/** A block of code: its indentation, its language, its lines. */
export const fenced = /^( *)```(\w+)\n(.*?)^ *```$/gms
const directly = /^\s*```(?:text|json|xml)\n(.*?)^ *```$/ms

/** Returns the blocks of commands in a page, in order. */
export function commandBlocks({ text }: Page): CommandBlock[] {
  return [...text.matchAll(fenced)].flatMap(
    ({ 0: whole, 1: indent = '', 2: language, 3: code = '', index }) => {
      if (language !== 'sh') return []
      const below = directly.exec(text.slice(index + whole.length))
      return {
        line: text.slice(0, index).split('\n').length,
        commands: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '').replaceAll(/ *\\\n\s*/g, ' '),
        output: below?.index === 0 ? below[1] : undefined,
      }
    },
  )
}

/** Commands that change the machine itself, or need another one. */
const ofTheMachine =
  /^(apt-get|cp deploy|docker|helm|install -D|journalctl|kubectl|nginx|npm install|npm pack|pg_dump|su|systemctl|useradd)\b/

/** Returns the lines of a block that can be run on any machine. */
const runnable = ({ commands }: CommandBlock) =>
  commands.split('\n').map((line) => (ofTheMachine.test(line) ? '' : line))

export const isRunWhole = (block: CommandBlock) => runnable(block).join('\n') === block.commands

export const isRun = (block: CommandBlock) => runnable(block).some((line) => /^[^#\s]/.test(line))

/** Returns what did not happen as the page says. */
export async function followPage(page: Page, reader: Reader): Promise<string[]> {
  const blocks = commandBlocks(page).filter(isRun)
  const script = [
    `. '${join(root, 'test/support/reader.sh')}'`,
    ...(reader.first ?? '').split('\n'),
    ...blocks.flatMap((block, index) => [`echo '${mark(index)}'`, ...runnable(block)]),
  ]
  const lines = script.map((line) => substituted(line, reader.substitutes))
  const path = (name: string) => join(reader.folder, name)
  await writeFile(path('commands.sh'), lines.join('\n'))
  await writeFile(path('statuses'), '')
  const env = { ...reader.env, STATUS_FILE: path('statuses'), STREAM_FILE: path('stream') }
  const { stdout, failure } = await runShell(reader, env)
  const statuses = (await readFile(path('statuses'), 'utf8')).trim()
  return [
    ...failure,
    ...wrongStatuses(lines, statuses === '' ? [] : statuses.split('\n')),
    ...blocks.flatMap((block, index) => {
      const printed = stdout.split(mark(index))[1]?.split(mark(index + 1))[0] ?? ''
      const expected = block.output && substituted(block.output, reader.substitutes)
      return expected === undefined || isShown(expected, printed)
        ? []
        : [`line ${block.line}: the page shows\n${expected}\nbut the commands print\n${printed}`]
    }),
  ]
}

const mark = (index: number) => `== block ${index} ==`

const substituted = (text: string, substitutes: Reader['substitutes']) =>
  Object.entries(substitutes).reduce((changed, [from, to]) => changed.replaceAll(from, to), text)

function runShell(
  { folder: cwd, typed = '' }: Reader,
  env: Reader['env'],
): Promise<{ stdout: string; failure: string[] }> {
  const variables = { PATH: process.env.PATH, HOME: process.env.HOME, ...env }
  return new Promise((resolve) => {
    const shell = execFile(
      'bash',
      ['commands.sh'],
      { cwd, env: variables, maxBuffer: 1e8 },
      (error, stdout, stderr) =>
        resolve({
          stdout,
          failure: error ? [`The shell ended with ${error.code}. ${stderr}\n${stdout}`] : [],
        }),
    )
    // A shell that ends early does not read it.
    shell.stdin?.on('error', () => {})
    shell.stdin?.end(`${typed}\n`)
  })
}

/** A request should succeed, unless a comment behind it names another status. Each is made. */
function wrongStatuses(lines: readonly string[], noted: readonly string[]): string[] {
  const made = noted.map((each) => each.split(' '))
  const calls = lines.flatMap((line, index) => (/\bcurl /.test(line) ? [index + 1] : []))
  // A command of several lines is noted with its first or its last line.
  const callAt = (line: number) => calls.findLast((call) => call <= line)
  return calls.flatMap((call) => {
    const line = lines[call - 1] ?? ''
    const expected = / # (\d{3})$/.exec(line)?.[1] ?? '2'
    const statuses = made.filter(([at]) => callAt(Number(at)) === call).map(([, status = '']) => status)
    if (statuses.length === 0) return [`This was not run: ${line}`]
    return statuses.at(-1)?.startsWith(expected) ? [] : [`${statuses.at(-1)} for ${line}`]
  })
}

/** Returns whether the output occurs in what was printed, apart from spaces and from what differs each time. */
const isShown = (expected: string, printed: string) =>
  new RegExp(comparable(expected).split('…').map(escaped).join('.*?')).test(comparable(printed))

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

const comparable = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, 'TIME')
    .replaceAll(/"[0-9a-f]{12}-[0-9a-z]+"/g, '"REQUEST"')
    .replaceAll(/"next_cursor":"[^"]+"/g, '"next_cursor":"CURSOR"')
    .replaceAll(/\b\d{10}\b|(?<="expires_in(_seconds)?":)\d+/g, 'SECONDS')
    .replaceAll(/[0-9a-f]{8,}…?|[0-9a-f]{4,}…/g, 'HEX')
    .replaceAll(/\b(pin|user_code)(=|":")\w+/g, '$1$2PIN')
    .replaceAll(/\s+/g, '')
