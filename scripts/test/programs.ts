/** System programs that the tests need beyond npm packages, and their installation on Debian. */
import { existsSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type FfmpegPrograms, findFfmpeg } from '../../packages/server/src/media/find-ffmpeg.js'
import { browserPath, debianBrowser } from '../../test/support/browser.js'
import type { Program } from './needs.js'
import { run } from './run.js'

/** CI upgrades Debian's packages: a new minor version of PostgreSQL has broken the installation before. */
const isCi = process.env.CI === 'true'

/** Programs that whole test files need. Those files are skipped where a program is missing and cannot be installed. */
const needed: Readonly<Record<Program, { readonly package: string; readonly remedy: string }>> = {
  browser: {
    package: debianBrowser.package,
    remedy: `Install Debian's ${debianBrowser.package}, or let CHROMIUM name a browser.`,
  },
  ffmpeg: { package: 'ffmpeg', remedy: 'Install ffmpeg 5.1 or newer.' },
}

/** Programs that a few tests need, which skip themselves without them. Most of these are in `npm run test:all`. */
const forFew = {
  openssl: '/usr/bin/openssl',
  curl: '/usr/bin/curl',
} as const
const forFewOfAll = {
  ...forFew,
  'postgresql-15': '/usr/lib/postgresql/15/bin/initdb',
  pgbouncer: '/usr/sbin/pgbouncer',
  'nginx-light': '/usr/sbin/nginx',
  prometheus: '/usr/bin/prometheus',
  'php-cli': '/usr/bin/php',
  python3: '/usr/bin/python3',
} as const

/** CI takes no slower browser, even if there is one. */
async function isThere(program: Program): Promise<boolean> {
  if (program === 'ffmpeg') return (await findTestFfmpeg()) !== undefined
  return isCi && !process.env.CHROMIUM ? existsSync(debianBrowser.path) : browserPath() !== undefined
}

/**
 * Installs the programs that the tests need, where that is possible. Returns the needed ones that are missing. In CI a
 * missing program is an error, so that no test is skipped.
 */
export async function installPrograms(wanted: {
  readonly programs: ReadonlySet<Program>
  readonly isAll: boolean
}): Promise<ReadonlySet<Program>> {
  const missing = () => filterAsync([...wanted.programs], async (program) => !(await isThere(program)))
  const few = wanted.isAll ? forFewOfAll : forFew
  if (canInstall()) {
    const packages = (await missing()).map((program) => needed[program].package)
    await installMissing(packages, few, wanted.isAll && (await repeatsWithSystemFfmpeg()))
  }
  const absent = await missing()
  for (const program of absent)
    console.log(
      `There is no ${program}, so the test files that need one are skipped. ${needed[program].remedy}`,
    )
  const skipped = missingOf(few)
  for (const name of skipped)
    console.log(`The tests with ${name} are skipped: ${few[name as keyof typeof few]} is missing.`)
  const isOnlyFfmpeg = wanted.isAll && (await repeatsWithSystemFfmpeg()) && !(await findSystemFfmpeg())
  if (isOnlyFfmpeg) console.log('The tests of films are not repeated: the system has no ffmpeg 5.1 or newer.')
  const left = [...absent, ...skipped, ...(isOnlyFfmpeg ? ["the system's ffmpeg"] : [])]
  if (isCi && left.length > 0) throw new Error(`In CI no test is skipped, and ${left.join(', ')} is missing.`)
  return new Set(absent)
}

const missingOf = (programs: Readonly<Record<string, string>>) =>
  Object.entries(programs).flatMap(([name, path]) => (existsSync(path) ? [] : [name]))

async function filterAsync<T>(list: readonly T[], keep: (item: T) => Promise<boolean>): Promise<T[]> {
  const kept = await Promise.all(list.map(keep))
  return list.filter((_, index) => kept[index])
}

const canInstall = () => existsSync('/usr/bin/apt-get') && process.getuid?.() === 0

/** Installs packages, if this is Debian and the user may do so. */
export async function installFromDebian(names: readonly string[]): Promise<void> {
  if (!canInstall()) return
  await run('apt-get', ['update', '-qq']).catch(() => {})
  await installPackages(names)
}

async function installMissing(
  packages: readonly string[],
  few: Readonly<Record<string, string>>,
  hasSystemFfmpeg: boolean,
): Promise<void> {
  const optional = [...(isCi ? Object.keys(few) : missingOf(few)), ...(hasSystemFfmpeg ? ['ffmpeg'] : [])]
  if (packages.length + optional.length === 0) return
  // Without a network, packages downloaded earlier may suffice.
  await run('apt-get', ['update', '-qq']).catch(() => {})
  if (packages.length > 0) await installPackages(packages)
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

/** The ffmpeg that users get: the one from npm if there is one for this system, otherwise the system's. */
async function findTestFfmpeg(): Promise<FfmpegPrograms | undefined> {
  const packaged = await findFfmpeg({ searchPath: '' })
  return packaged.programs ?? findSystemFfmpeg()
}

const findSystemFfmpeg = async () =>
  (await findFfmpeg({ searchPath: process.env.PATH ?? '', packaged: async () => undefined })).programs

/** Whether users may have two kinds of ffmpeg, so that both have to be tried. */
const repeatsWithSystemFfmpeg = async () => (await findTestFfmpeg())?.origin === 'packages'

/** The programs of one run of the tests, in a folder that comes first on the search path. */
export interface FfmpegFolder {
  readonly name: string
  readonly folder: string
}

/** Returns folders with the ffmpeg that users get, and with the system's if that is another one. */
export async function ffmpegFolders(folder: string): Promise<FfmpegFolder[]> {
  const usual = await findTestFfmpeg()
  const system = (await repeatsWithSystemFfmpeg()) ? await findSystemFfmpeg() : undefined
  const found = [usual, system].filter((programs) => programs !== undefined)
  return Promise.all(found.map((programs) => linksTo(programs, join(folder, `ffmpeg-${programs.origin}`))))
}

async function linksTo({ ffmpeg, ffprobe, version }: FfmpegPrograms, folder: string): Promise<FfmpegFolder> {
  await mkdir(folder)
  await symlink(ffmpeg, join(folder, 'ffmpeg'))
  await symlink(ffprobe, join(folder, 'ffprobe'))
  return { name: `ffmpeg ${version}`, folder }
}
