import { createChannel, limitStorage, listChannels, removeChannel } from '../auth/channels.js'
import { isId } from '../lib/object-id.js'
import { type Command, readArguments, readOptions, readWords, UsageError } from './define-command.js'
import { withPlatform } from './with-platform.js'

const maxTitle = 255

export const channelCreate: Command = {
  usage: 'zoetrope channel create <title>',
  about: 'Creates a channel and prints it with its three API keys.',
  async run(args, context) {
    const [title, ...rest] = readWords(args)
    if (!title?.trim() || rest.length > 0 || title.length > maxTitle)
      throw new UsageError(
        `Give the channel one title of at most ${maxTitle} characters, in quotes if it has spaces.`,
      )
    const made = await withPlatform(context, ({ database, sealer }) =>
      database.transaction((tx) => createChannel(tx, sealer, title)),
    )
    context.print(JSON.stringify(made, null, 2))
  },
}

export const channelList: Command = {
  usage: 'zoetrope channel list [--json]',
  about: 'Prints every channel with the number of its videos. With --json, one object in each line.',
  async run(args, context) {
    const { json: isJson } = readOptions(args, { json: { type: 'boolean', default: false } })
    const channels = await withPlatform(context, ({ database }) => listChannels(database.db))
    for (const { _id, title, videos, created_at } of channels)
      context.print(
        isJson
          ? JSON.stringify({ _id, title, videos, created_at })
          : `${_id}  ${created_at.toISOString().slice(0, 10)}  ${String(videos).padStart(9)} videos  ${title}`,
      )
  },
}

export const channelRemove: Command = {
  usage: 'zoetrope channel remove <id> --yes',
  about: 'Deletes a channel and everything in it for good. This cannot be undone, hence --yes.',
  async run(args, context) {
    const options = { yes: { type: 'boolean', default: false } } as const
    const { values, positionals } = readArguments(args, { options, allowPositionals: true })
    const [id = '', ...rest] = positionals
    if (!isId(id) || rest.length > 0)
      throw new UsageError('Give the id of one channel; `zoetrope channel list` shows them.')
    if (!values.yes)
      throw new UsageError(
        `Everything in the channel ${id} would be lost. Add --yes if that is what you want.`,
      )
    const removed = await withPlatform(context, ({ database }) =>
      database.transaction((tx) => removeChannel(tx, id)),
    )
    if (!removed)
      throw new UsageError(`There is no channel with the id ${id}; \`zoetrope channel list\` shows them.`)
    context.print(`Removed the channel ${id}.`)
  },
}

const mostGigabytes = 1_000_000

export const channelLimit: Command = {
  usage: 'zoetrope channel limit <id> <GB|none|default>',
  about: 'Sets how many gigabytes of uploaded files a channel may keep; default follows CHANNEL_GB.',
  async run(args, context) {
    const [id = '', size = '', ...rest] = readWords(args)
    if (!isId(id) || rest.length > 0)
      throw new UsageError('Give the id of one channel; `zoetrope channel list` shows them.')
    const limit = readLimit(size)
    const done = await withPlatform(context, ({ database }) => limitStorage(database.db, id, limit))
    if (!done)
      throw new UsageError(`There is no channel with the id ${id}; \`zoetrope channel list\` shows them.`)
    context.print(`The channel ${id} ${described(size)}.`)
  },
}

function readLimit(size: string): number | 'none' | 'default' {
  if (size === 'none' || size === 'default') return size
  const gigabytes = /^\d{1,7}(\.\d{1,3})?$/.test(size) ? Number(size) : Number.NaN
  if (gigabytes <= mostGigabytes) return Math.round(gigabytes * 1_000_000_000)
  throw new UsageError('Give the limit in gigabytes, such as 500 or 0.5; or none, or default.')
}

function described(size: string): string {
  if (size === 'none') return 'has no limit now'
  return size === 'default' ? 'follows CHANNEL_GB now' : `may keep ${size} GB now`
}
