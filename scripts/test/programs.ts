/** What the tests need of the system beyond npm's packages, and how it is installed on Debian. */
import { existsSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg } from '../../packages/server/src/media/find-ffmpeg.js'
import { browserPath, debianBrowser } from '../../test/support/browser.js'
import { run } from './run.js'

/** Debian's name of each package whose program is missing. */
function missingPackages(): string[] {
  return browserPath() ? [] : [debianBrowser.package]
}

/** What a few tests need, which are skipped where it cannot be installed. */
const optionalPrograms = {
  'nginx-light': '/usr/sbin/nginx',
  openssl: '/usr/bin/openssl',
  curl: '/usr/bin/curl',
} as const

export async function installPrograms(): Promise<void> {
  const missing = missingPackages()
  const optional = Object.entries(optionalPrograms).flatMap(([name, path]) =>
    existsSync(path) ? [] : [name],
  )
  const mayInstall = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0
  if (missing.length > 0 && !mayInstall)
    throw new Error(
      `The tests need ${missing.join(' and ')}. Install Debian's packages of these names, or let CHROMIUM name a browser.`,
    )
  if (!mayInstall || missing.length + optional.length === 0) return
  // Where the network is away, what was downloaded before may still do.
  await run('apt-get', ['update', '-qq']).catch(() => {})
  if (missing.length > 0) await installPackages(missing)
  if (optional.length > 0) await installPackages(optional).catch(() => {})
}

/** Debian starts a service when it is installed, unless this file forbids it. */
const servicePolicy = '/usr/sbin/policy-rc.d'

async function installPackages(names: readonly string[]): Promise<void> {
  const isOurs = !existsSync(servicePolicy)
  if (isOurs) await writeFile(servicePolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], {
      DEBIAN_FRONTEND: 'noninteractive',
    })
  } finally {
    if (isOurs) await rm(servicePolicy)
  }
}

/** A folder with the ffmpeg and ffprobe that the server under test uses, so that the tests use the same. */
export async function ffmpegFolder(folder: string): Promise<string> {
  const search = await findFfmpeg({ searchPath: process.env.PATH ?? '' })
  if (!search.programs) throw new Error(`The tests need ffmpeg. ${search.reason}`)
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await symlink(search.programs.ffmpeg, join(bin, 'ffmpeg'))
  await symlink(search.programs.ffprobe, join(bin, 'ffprobe'))
  return bin
}
