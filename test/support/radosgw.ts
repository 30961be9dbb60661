import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { S3Settings } from '../../packages/server/src/config/storage-url.js'
import { patienceMs } from './patience.js'
import { presignedUrl } from './s3-signatures.js'
import { freePort } from './server-process.js'

const execute = promisify(execFile)

/** Debian's packages of Ceph, and a program of each. */
export const radosgwPrograms = {
  'ceph-mon': '/usr/bin/ceph-mon',
  'ceph-osd': '/usr/bin/ceph-osd',
  radosgw: '/usr/bin/radosgw',
} as const

/** Returns which packages are not installed. */
export const missingForRadosgw = (): string[] =>
  Object.entries(radosgwPrograms).flatMap(([name, path]) => (existsSync(path) ? [] : [name]))

interface Radosgw {
  readonly settings: S3Settings
  readonly version: string
  stop(): Promise<void>
}

const bucket = 'films'

/** Starts a Ceph cluster of one monitor and one store in memory, and its S3 gateway with an empty bucket. */
export async function startRadosgw(): Promise<Radosgw> {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-radosgw-'))
  const running: { name: string; child: ChildProcess }[] = []
  const env = { ...process.env, CEPH_CONF: join(folder, 'ceph.conf') }
  const call = async (program: string, ...args: string[]) =>
    (await execute(program, args, { env, cwd: folder, timeout: patienceMs })).stdout
  const launch = (program: string, ...args: string[]) =>
    void running.push({ name: program, child: spawn(program, ['-f', ...args], { env, stdio: 'ignore' }) })
  const stop = async () => {
    for (const { child } of running.toReversed()) await end(child)
    await rm(folder, { recursive: true, force: true })
  }
  const until = async (what: string, isSo: () => Promise<boolean>) => {
    for (const end = Date.now() + patienceMs; !(await isSo()); await delay(100)) {
      const ended = running.find(({ child }) => child.exitCode !== null)
      if (ended) throw new Error(`${ended.name} ended with ${ended.child.exitCode}.`)
      if (Date.now() > end) throw new Error(`${what} takes too long.`)
    }
  }
  try {
    const [mon, port] = [await freePort(), await freePort()]
    const cluster = randomUUID()
    await writeFile(env.CEPH_CONF, configuration(folder, cluster, mon))
    await mkdir(join(folder, 'mon'))
    await mkdir(join(folder, 'osd'))
    for (const [index, name] of ['mon.', 'client.admin', 'osd.0'].entries())
      await call(
        'ceph-authtool',
        ...(index === 0 ? ['--create-keyring'] : []),
        ...['keyring', '--gen-key', '-n', name, '--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *'],
      )
    await call('monmaptool', '--create', '--fsid', cluster, '--addv', 'a', `[v2:127.0.0.1:${mon}]`, 'monmap')
    await call('ceph-mon', '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', 'keyring')
    launch('ceph-mon', '-i', 'a')
    const store = randomUUID()
    await call('ceph', '--connect-timeout', '60', 'osd', 'new', store)
    await call('ceph-osd', '--mkfs', '-i', '0', '--osd-uuid', store)
    launch('ceph-osd', '-i', '0')
    const credentials = { accessKeyId: 'ZOETROPE', secretAccessKey: `+/ ${randomBytes(12).toString('hex')}` }
    await until('The store of Ceph', async () => (await call('ceph', 'osd', 'stat')).includes('1 up'))
    await call(
      ...(['radosgw-admin', 'user', 'create', '--uid', 'zoetrope', '--display-name', 'Zoetrope'] as const),
      ...['--access-key', credentials.accessKeyId, '--secret-key', credentials.secretAccessKey],
    )
    launch('radosgw', '-n', 'client.admin', '--rgw-frontends', `beast endpoint=127.0.0.1:${port}`)
    const address = new URL(`http://127.0.0.1:${port}/${bucket}`)
    await until('radosgw', async () => {
      const made = await fetch(presignedUrl('PUT', address, credentials), { method: 'PUT' }).catch(() => {})
      return made?.ok === true
    })
    const settings = { kind: 's3', host: `127.0.0.1:${port}`, tls: false, region: 'us-east-1' } as const
    return {
      settings: { ...settings, bucket, prefix: '', isPathStyle: true, credentials },
      version: /\d+\.\d+\.\d+/.exec(await call('radosgw', '--version'))?.[0] ?? '?',
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Nothing of the cluster is worth keeping, so it need not end in order. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const configuration = (folder: string, cluster: string, mon: string) => `[global]
fsid = ${cluster}
mon host = [v2:127.0.0.1:${mon}]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
mon data = ${folder}/mon
osd data = ${folder}/osd
keyring = ${folder}/keyring
run dir = ${folder}
crash dir = ${folder}
admin socket =
pid file =
log file =
mon cluster log file =
osd objectstore = memstore
memstore device bytes = 4294967296
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pgp num = 8
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon data avail warn = 1
mon data avail crit = 1
`
