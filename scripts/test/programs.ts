/** System programs that the tests need beyond npm packages, and their installation on Debian. */
import { existsSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findFfmpeg } from '../../packages/server/src/media/find-ffmpeg.js'
import { browserPath, debianBrowser } from '../../test/support/browser.js'
import { run } from './run.js'

/**
 * Returns the Debian packages of missing programs. CI takes no slower browser, even if there is one. npm installs ffmpeg
 * only on Linux x64.
 */
async function missingPackages(): Promise<string[]> {
  const hasBrowser =
    isCi && !process.env.CHROMIUM ? existsSync(debianBrowser.path) : browserPath() !== undefined
  const { programs } = await searchFfmpeg()
  return [...(hasBrowser ? [] : [debianBrowser.package]), ...(programs ? [] : ['ffmpeg'])]
}

/** What to do about a missing package. */
async function remedyFor(name: string): Promise<string> {
  const search = name === 'ffmpeg' ? await searchFfmpeg() : undefined
  if (search && !search.programs) return `The tests need ffmpeg. ${search.reason}`
  return `The tests need ${name}. Install Debian's package of this name, or let CHROMIUM name a browser.`
}

const searchFfmpeg = () => findFfmpeg({ searchPath: process.env.PATH ?? '' })

/** Programs that only a few tests need. Those tests are skipped where they cannot be installed. */
const optionalPrograms = {
  'postgresql-15': '/usr/lib/postgresql/15/bin/initdb',
  pgbouncer: '/usr/sbin/pgbouncer',
  'nginx-light': '/usr/sbin/nginx',
  openssl: '/usr/bin/openssl',
  curl: '/usr/bin/curl',
} as const

/** CI upgrades these to the newest version: a new minor version of PostgreSQL has broken the installation before. */
const isCi = process.env.CI === 'true'

const missingOptional = () =>
  Object.entries(optionalPrograms).flatMap(([name, path]) => (existsSync(path) ? [] : [name]))

export async function installPrograms(): Promise<void> {
  const missing = await missingPackages()
  if (canInstall()) await installMissing(missing)
  else if (missing.length > 0) throw new Error((await Promise.all(missing.map(remedyFor))).join('\n'))
  const skipped = missingOptional()
  if (isCi && skipped.length > 0)
    throw new Error(`In CI no test is skipped, and ${skipped.join(', ')} is missing.`)
  for (const name of skipped)
    console.log(
      `The tests with ${name} are skipped: ${optionalPrograms[name as keyof typeof optionalPrograms]} is missing.`,
    )
}

const canInstall = () => existsSync('/usr/bin/apt-get') && process.getuid?.() === 0

/** Installs packages, if this is Debian and the user may do so. */
export async function installFromDebian(names: readonly string[]): Promise<void> {
  if (!canInstall()) return
  await run('apt-get', ['update', '-qq']).catch(() => {})
  await installPackages(names)
}

async function installMissing(needed: readonly string[]): Promise<void> {
  const optional = isCi ? Object.keys(optionalPrograms) : missingOptional()
  if (needed.length + optional.length === 0) return
  // Without a network, packages downloaded earlier may suffice.
  await run('apt-get', ['update', '-qq']).catch(() => {})
  if (needed.length > 0) await installPackages(needed)
  // One by one: another Debian release lacks this version of PostgreSQL, but has all the others.
  for (const name of optional) await installPackages([name]).catch(() => {})
}

/** On installation, Debian starts services and creates a PostgreSQL cluster unless these files forbid it. */
const policies = [
  { path: '/usr/sbin/policy-rc.d', text: '#!/bin/sh\nexit 101\n', mode: 0o755 },
  {
    path: '/etc/postgresql-common/createcluster.d/zoetrope-tests.conf',
    text: 'create_main_cluster = false\n',
    mode: 0o644,
  },
]

async function installPackages(names: readonly string[]): Promise<void> {
  const ours = policies.filter(({ path }) => !existsSync(path))
  for (const { path, text, mode } of ours) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { mode })
  }
  try {
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], {
      DEBIAN_FRONTEND: 'noninteractive',
    })
  } finally {
    for (const { path } of ours) await rm(path)
  }
}

/** Creates a folder with the ffmpeg and ffprobe of the server under test, so that the tests use the same ones. */
export async function ffmpegFolder(folder: string): Promise<string> {
  const search = await searchFfmpeg()
  if (!search.programs) throw new Error(`The tests need ffmpeg. ${search.reason}`)
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await symlink(search.programs.ffmpeg, join(bin, 'ffmpeg'))
  await symlink(search.programs.ffprobe, join(bin, 'ffprobe'))
  return bin
}
