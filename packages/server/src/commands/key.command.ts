import { listChannels } from '../auth/channels.js'
import { type KeyKind, keyKinds, listKeys, rotateKey } from '../auth/keys.js'
import { listNamedKeys } from '../auth/named-keys.js'
import type { Db } from '../db/database.js'
import { refreshKey } from '../installation/files.js'
import { type Command, readArguments, readOptions, UsageError } from './define-command.js'
import { withPlatform } from './with-platform.js'

const ofChannel = { channel: { type: 'string' } } as const

/** The given channel, or the only one. */
async function channelOf(db: Db, id: string | undefined): Promise<string> {
  const channels = await listChannels(db)
  const chosen =
    id === undefined && channels.length === 1 ? channels[0] : channels.find(({ _id }) => _id === id)
  if (chosen) return chosen._id
  throw new UsageError(
    id === undefined
      ? 'There are several channels: add --channel <id>. `zoetrope channel list` shows them.'
      : `There is no channel with the id ${id}; \`zoetrope channel list\` shows them.`,
  )
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }
const longestOverlap = 30 * 86_400

function readOverlap(text: string): number {
  const [, count, unit = 's'] = /^(\d{1,7})([smhd])?$/.exec(text) ?? []
  const seconds = Number(count) * (units[unit] ?? Number.NaN)
  if (Number.isFinite(seconds) && seconds <= longestOverlap) return seconds
  throw new UsageError('--overlap is a time such as 0, 30m, 24h or 7d, at most 30d.')
}

export const keyList: Command = {
  usage: 'zoetrope key list [--channel <id>] [--json]',
  about:
    'Prints the valid keys of a channel; for a replaced key, also when it expires. For named keys: name, scopes, expiry and last use. With --json, one object in each line.',
  async run(args, context) {
    const values = readOptions(args, { ...ofChannel, json: { type: 'boolean', default: false } })
    const [keys, named] = await withPlatform(context, async ({ database: { db }, sealer }) => {
      const channel = await channelOf(db, values.channel)
      return Promise.all([listKeys(db, sealer, channel), listNamedKeys(db, channel)])
    })
    if (values.json) {
      for (const key of [...keys, ...named]) context.print(JSON.stringify(key))
      return
    }
    for (const { kind, key, expires_at } of keys)
      context.print(
        `${kind.padEnd(9)}  ${key}${expires_at ? `  (replaced; works until ${expires_at.toISOString()})` : ''}`,
      )
    for (const key of named) context.print(`named      ${describeNamedKey(key)}`)
  },
}

/** One line. Names have no control characters, so they are safe to print. */
function describeNamedKey(key: Awaited<ReturnType<typeof listNamedKeys>>[number]): string {
  const { name, last_four, scopes, allowed_networks, expires_at, last_used_at } = key
  const isExpired = expires_at !== null && expires_at <= new Date()
  return [
    `zk_named_…${last_four}`,
    `"${name}"`,
    scopes.join(' '),
    ...(expires_at ? [`${isExpired ? 'expired' : 'expires'} ${expires_at.toISOString()}`] : []),
    last_used_at ? `last used ${last_used_at.toISOString()}` : 'never used',
    ...(allowed_networks.length > 0 ? [`from ${allowed_networks.join(', ')}`] : []),
  ].join('  ')
}

export const keyRotate: Command = {
  usage: 'zoetrope key rotate <admin|read_only|player> [--channel <id>] [--overlap 24h]',
  about:
    'Creates a new key and prints it. The old key works until the overlap ends; --overlap 0 ends it within a second.',
  async run(args, context) {
    const options = { ...ofChannel, overlap: { type: 'string', default: '24h' } } as const
    const { values, positionals } = readArguments(args, { options, allowPositionals: true })
    const [kind] = positionals
    if (positionals.length !== 1 || !keyKinds.includes(kind as KeyKind))
      throw new UsageError(`Say which key: ${keyKinds.join(', ')}.`)
    const overlap = readOverlap(values.overlap)
    const { key, channel } = await withPlatform(context, ({ database, sealer }) =>
      database.transaction(async (tx) => {
        const channel = await channelOf(tx, values.channel)
        return { channel, key: await rotateKey(tx, sealer, channel, kind as KeyKind, overlap) }
      }),
    )
    await refreshKey(context.config.dataDir, channel, kind as KeyKind, key)
    context.print(key)
  },
}
