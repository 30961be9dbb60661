import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Connection } from './postgres.js'
import { freePort } from './server-process.js'
import { openDoor } from './tcp-door.js'

const program = '/usr/sbin/pgbouncer'

/** Why the tests with PgBouncer are skipped, or false if they run. */
export const withoutPgBouncer = existsSync(program) ? false : `${program} is not installed`

export interface PgBouncer {
  /** Returns the address of a database by its name in PgBouncer. */
  url(name: string): string
  stop(): Promise<void>
}

/** Starts a real PgBouncer in front of a database. Each name has its own settings, such as `pool_mode=session`. */
export async function startPgBouncer(
  connection: Connection,
  names: Readonly<Record<string, string>>,
  settings: readonly string[],
): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  const listenPort = await freePort()
  const door = await openDoor(connection)
  const { username } = connection
  const server = `host=127.0.0.1 port=${new URL(door.url).port} dbname=${connection.database} user=${username}`
  const lines = [
    '[databases]',
    ...Object.entries(names).map(([name, own]) => `${name} = ${server} ${own}`),
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    ...settings,
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  // PgBouncer refuses to run as root, as PostgreSQL does.
  const { uid, gid } = await stat(connection.host)
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const path of [folder, file]) await chown(path, uid, gid)
  const child = spawn(program, [file], { stdio: 'ignore', ...(isRoot ? { uid, gid } : {}) })
  const ended = once(child, 'exit')
  while (child.exitCode === null && !(await answers(Number(listenPort)))) await delay(20)
  return {
    url: (name) => `postgres://${username}@127.0.0.1:${listenPort}/${name}`,
    async stop() {
      child.kill('SIGTERM')
      await ended
      await door.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false)).once('connect', () => resolve(true))
    socket.once('connect', () => socket.destroy())
  })
