import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { blocksOf, readPage } from './markdown.js'
import { freePort } from './server-process.js'

const programs = ['/usr/sbin/nginx', '/usr/bin/openssl', '/usr/bin/curl'] as const
const [nginx, openssl] = programs

/** Returns why nginx cannot be tested on this machine, or false if it can. */
export const nginxIsMissing = (): string | false => {
  const missing = programs.filter((path) => !existsSync(path))
  return missing.length > 0 && `not installed here: ${missing.join(', ')}`
}

export interface Nginx {
  readonly url: string
  /** The self-signed certificate, and the file that contains it. */
  readonly ca: string
  readonly caFile: string
  /** Returns the log. nginx logs every body that it buffers to disk. */
  log(): Promise<string>
  stop(): Promise<void>
}

/**
 * Starts nginx with the configuration from the guide, and with the additions for a cache if it is to have one. Replaces only
 * ports and paths, each exactly once.
 */
export async function startNginx(
  upstream: string,
  { isCache = false }: { readonly isCache?: boolean } = {},
): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-nginx-'))
  const port = Number(await freePort())
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  makeCertificate(certificate, key)
  const text = replaceEach(isCache ? await withCache(await guideText(), folder) : await guideText(), [
    ['server 127.0.0.1:8080;', `server ${new URL(upstream).host};`],
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['/etc/letsencrypt/live/video.example.org/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/video.example.org/privkey.pem', key],
  ])
  await writeFile(join(folder, 'guide.conf'), text)
  await writeFile(join(folder, 'nginx.conf'), frame(folder))
  await mkdir(join(folder, 'temp'))
  const child = launch(folder, [certificate, key])
  await untilListening(child, port, folder)
  return {
    url: `https://127.0.0.1:${port}`,
    ca: await readFile(certificate, 'utf8'),
    caFile: certificate,
    log: () => readFile(join(folder, 'error.log'), 'utf8'),
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGQUIT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function guideText(): Promise<string> {
  const [text, ...others] = blocksOf(await readPage('docs/guide/operate.md'), 'nginx')
  if (!text || others.length > 0) throw new Error('The guide should have one configuration of nginx')
  return text
}

async function withCache(text: string, folder: string): Promise<string> {
  const [path, location, ...others] = blocksOf(await readPage('docs/guide/cdn.md'), 'nginx')
  if (!path || !location || others.length > 0)
    throw new Error('The guide should have two additions for a cache')
  return replaceEach(text, [
    ['server {', `${path.replace('/var/cache/zoetrope', `${folder}/temp/zoetrope`)}\nserver {`],
    ['  location / {', `${location}\n  location / {`],
  ])
}

function replaceEach(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((changed, [from, to]) => {
    const parts = changed.split(from)
    if (parts.length !== 2) throw new Error(`The guide has ${parts.length - 1} times "${from}", not once`)
    return parts.join(to)
  }, text)
}

function makeCertificate(certificate: string, key: string): void {
  const names = 'subjectAltName=IP:127.0.0.1,DNS:video.example.org'
  const subject = ['-subj', '/CN=video.example.org', '-addext', names, '-days', '2']
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key]
  execFileSync(openssl, ['req', '-x509', ...newKey, '-out', certificate, ...subject], { stdio: 'pipe' })
}

/** What Debian's nginx.conf has around the files of conf.d, with all paths in one folder. */
const frame = (folder: string) => `
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log info;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  gzip on;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/temp/${name};`).join('\n  ')}
  include ${folder}/guide.conf;
}
`

const nobody = 65_534

/** Runs as an unprivileged user, even if the tests run as root. */
function launch(folder: string, files: readonly string[]): ChildProcess {
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const path of [folder, join(folder, 'temp'), ...files]) chownSync(path, nobody, nobody)
  return spawn(nginx, args, { stdio: 'ignore', ...(isRoot ? { uid: nobody, gid: nobody } : {}) })
}

async function untilListening(child: ChildProcess, port: number, folder: string): Promise<void> {
  while (!(await answers(port))) {
    if (child.exitCode !== null)
      throw new Error(`nginx ended: ${await readFile(join(folder, 'error.log'), 'utf8')}`)
    await delay(20)
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
