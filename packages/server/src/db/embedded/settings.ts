import { totalmem } from 'node:os'

const megabytes = (share: number, least: number, most: number) =>
  `${Math.round(Math.min(Math.max(totalmem() / 2 ** 20 / share, least), most))}MB`

/** What our PostgreSQL does differently from its defaults, or must do whatever they become, and why. */
const settings: readonly (readonly [name: string, value: string, why: string])[] = [
  ['listen_addresses', '', 'only the socket: nobody reaches the database through the network'],
  ['unix_socket_permissions', '0700', 'only its owner and root'],
  ['max_connections', '100', 'a server and its workers take a few dozen'],
  ['shared_buffers', megabytes(32, 128, 2048), 'the hot rows; the system caches the rest'],
  [
    'effective_cache_size',
    megabytes(2, 512, 65_536),
    'what the system may cache, so that indexes look as cheap as they are',
  ],
  ['work_mem', '16MB', 'room for the matches of a broad search'],
  ['fsync', 'on', 'a power cut loses nothing'],
  ['synchronous_commit', 'on', 'what was answered is on the disk'],
  ['max_wal_size', '2GB', 'fewer checkpoints during imports'],
  ['random_page_cost', '1.1', 'disks are solid-state; the default is for spinning ones'],
  ['jit', 'off', 'compiling costs more than our short statements take'],
  ['autovacuum_vacuum_scale_factor', '0.05', 'the queue and sessions turn over quickly'],
  ['autovacuum_analyze_scale_factor', '0.05', 'plans follow an import soon'],
  ['max_logical_replication_workers', '0', 'nothing is replicated: one process less'],
  ['timezone', 'UTC', 'the same text of a time on every machine'],
  ['log_timezone', 'UTC', 'likewise'],
  ['logging_collector', 'off', 'its lines go to our log'],
  ['log_destination', 'stderr', 'likewise'],
  ['log_line_prefix', '', 'our log adds the time'],
  ['log_min_messages', 'warning', 'what an operator can act on'],
  ['log_min_error_statement', 'panic', 'a failed statement is reported by the code that sent it'],
  ['log_error_verbosity', 'terse', 'details of a broken constraint quote personal data'],
  ['log_checkpoints', 'off', 'routine'],
]

/** Settings that a caller wants otherwise, by name. */
export type OtherSettings = Readonly<Record<string, string>>

/** The arguments for `postgres` that apply the settings. */
export function settingArguments(name: string, socketFolder: string, others: OtherSettings = {}): string[] {
  // The value is a list; quoted, a folder may have a comma in its name.
  const listed = `"${socketFolder.replaceAll('"', '""')}"`
  const ours = [...settings, ['cluster_name', name], ['unix_socket_directories', listed]]
  // Of two arguments of one name the last counts.
  const all = [...ours, ...Object.entries(others)]
  return all.flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
