import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { endianness } from 'node:os'

/** A server of this process that listens on a loopback address. */
export interface LoopbackServer {
  readonly server: Server
  readonly port: number
  /** Whether the program at the other end of a connection may use it. */
  admits(socket: Socket): Promise<boolean>
}

/** A network in which there is nothing but a server of this process. */
export interface OwnLoopback extends LoopbackServer {
  /** The beginning of a command that runs in that network. */
  readonly prefix: readonly string[]
}

const longestMs = 10_000
const loopback = '127.0.0.1'

/** A new network has a loopback interface that is down. Systems have different programs to change that, or none. */
const raiseLoopback = [
  'ip link set lo up',
  'ifconfig lo up',
  // SIOCSIFFLAGS with IFF_UP and IFF_RUNNING. Debian always has this program, also in small images.
  `perl -e 'socket(S, 2, 2, 0); my $r = pack("a16s!", "lo", 65); ioctl(S, 0x8914, $r) or exit 1'`,
].join(' || ')

/** Sends a server of the new network to this process, and ends when it has arrived. */
const sendServer = `
  const server = require('node:net').createServer().listen(0, '127.0.0.1', () => process.send('', server))
  server.on('error', () => process.exit(1))
  process.on('message', () => process.exit(0))
`

/**
 * Opens a server in a network of its own. A short-lived process creates both and passes the server on; what remains are
 * the socket and the open files of the namespaces, through which other programs enter them.
 */
export async function openOwnLoopback(
  unshare: readonly string[],
  nsenter: string,
): Promise<OwnLoopback | undefined> {
  const [program = '', ...options] = unshare
  const script = `(${raiseLoopback}) >/dev/null 2>&1 && exec "$@"`
  const child = spawn(
    program,
    [...options, '--', '/bin/sh', '-c', script, 'sh', process.execPath, '-e', sendServer],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    },
  )
  const timer = setTimeout(() => child.kill('SIGKILL'), longestMs)
  try {
    const server = await new Promise<Server | undefined>((resolve) => {
      child.once('error', () => resolve(undefined))
      child.once('exit', () => resolve(undefined))
      child.once('message', (_, handle) => resolve(handle as Server | undefined))
    })
    if (!server) return undefined
    server.unref()
    const isMapped = options.includes('--map-root-user')
    return {
      server,
      port: portOf(server),
      admits: async () => true,
      prefix: [
        nsenter,
        ...(isMapped ? [`--user=${keepNamespace(child.pid, 'user')}`, '--preserve-credentials'] : []),
        `--net=${keepNamespace(child.pid, 'net')}`,
      ],
    }
  } finally {
    clearTimeout(timer)
    if (child.connected) child.send('')
    child.unref()
  }
}

/** The path of an open file that keeps the namespace as long as this process lives. */
function keepNamespace(pid: number | undefined, name: 'net' | 'user'): string {
  return `/proc/${process.pid}/fd/${openSync(`/proc/${pid}/ns/${name}`, 'r')}`
}

/**
 * A server on the loopback address of the machine, for programs that have no network of their own. Everybody on the machine
 * can connect to it, and can see addresses in the command lines of others, so it admits only programs of our own user.
 * `undefined` where that cannot be found out.
 */
export async function openLoopback(): Promise<LoopbackServer | undefined> {
  if ((await readConnections()) === undefined) return undefined
  const server = createServer().listen(0, loopback).unref()
  await once(server, 'listening')
  const admits = async ({ remoteAddress, remotePort, localPort }: Socket) => {
    // From another address a stranger could use our own port, and the connection would look like our end of it.
    if (remoteAddress !== loopback) return false
    const [from, to] = [endOf(remotePort), endOf(localPort)]
    const connections = (await readConnections()) ?? []
    return connections.some(
      (each) => each.from === from && each.to === to && each.user === process.getuid?.(),
    )
  }
  return { server, port: portOf(server), admits }
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

/** The connections of this machine, each from the side of one of its ends. Only Linux tells. */
async function readConnections(): Promise<{ from: string; to: string; user: number }[] | undefined> {
  const text = await readFile('/proc/net/tcp', 'utf8').catch(() => undefined)
  return text
    ?.split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .map(([, from = '', to = '', , , , , user]) => ({ from, to, user: Number(user) }))
}

/** An end of a connection on the loopback address, as the list of connections has it. */
const endOf = (port = 0) =>
  `${endianness() === 'LE' ? '0100007F' : '7F000001'}:${port.toString(16).toUpperCase().padStart(4, '0')}`
