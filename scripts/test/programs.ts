/** What the tests need of the system beyond npm's packages, and how it is installed on Debian. */
import { existsSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg } from '../../packages/server/src/media/find-ffmpeg.js'
import { browserPath, debianBrowser } from '../../test/support/browser.js'
import { run } from './run.js'

/** Debian's name of each package whose program is missing. */
function missingPackages(): string[] {
  return browserPath() ? [] : [debianBrowser.package]
}

export async function installPrograms(): Promise<void> {
  const missing = missingPackages()
  if (missing.length === 0) return
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0)
    throw new Error(
      `The tests need ${missing.join(' and ')}. Install Debian's packages of these names, or let CHROMIUM name a browser.`,
    )
  await run('apt-get', ['update', '-qq'])
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], {
    DEBIAN_FRONTEND: 'noninteractive',
  })
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
