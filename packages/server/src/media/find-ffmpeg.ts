import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** The two programs, side by side. */
export interface FfmpegPrograms {
  readonly ffmpeg: string
  readonly ffprobe: string
  readonly version: string
}

export type FfmpegSearch =
  | { readonly programs: FfmpegPrograms }
  | { readonly programs: undefined; readonly reason: string }

export interface WhereToLook {
  /** FFMPEG_PATH: the program, or the folder it is in. */
  readonly ffmpegPath?: string
  /** PATH. */
  readonly searchPath?: string
  readonly platform?: NodeJS.Platform
}

const oldest = { major: 5, minor: 1 }
const usualFolders = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin'].join(delimiter)

/** The ffmpeg that is named, else the first on the search path that is new enough, else what to do about it. */
export async function findFfmpeg({
  ffmpegPath,
  searchPath = usualFolders,
  platform = process.platform,
}: WhereToLook = {}): Promise<FfmpegSearch> {
  const suffix = platform === 'win32' ? '.exe' : ''
  const named = ffmpegPath !== undefined && ffmpegPath !== ''
  const candidates = named
    ? [await programAt(ffmpegPath, suffix)]
    : searchPath.split(delimiter).flatMap((folder) => (folder ? [join(folder, `ffmpeg${suffix}`)] : []))
  const problems: string[] = []
  for (const ffmpeg of candidates) {
    const tried = await tryProgram(ffmpeg)
    if (typeof tried !== 'string') return { programs: tried }
    if (named || tried !== missing) problems.push(`${ffmpeg} ${tried}.`)
  }
  const begin = problems.length > 0 ? problems.join(' ') : 'ffmpeg is not installed.'
  const then = named ? 'Let FFMPEG_PATH name ffmpeg 5.1 or newer, or unset it and install' : 'Install'
  return { programs: undefined, reason: `${begin} ${then} it ${await howToInstall(platform)}.` }
}

async function programAt(path: string, suffix: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ? join(path, `ffmpeg${suffix}`) : path
}

const missing = 'is not there or may not be run'

/** The pair of programs, or what is wrong with them. */
async function tryProgram(ffmpeg: string): Promise<FfmpegPrograms | string> {
  const ffprobe = join(dirname(ffmpeg), basename(ffmpeg).replace('ffmpeg', 'ffprobe'))
  if (!(await mayRun(ffmpeg))) return missing
  if (ffprobe === ffmpeg || !(await mayRun(ffprobe))) return 'has no ffprobe beside it'
  const version = await askVersion(ffmpeg)
  if (version === undefined) return 'does not say its version'
  return isNewEnough(version) ? { ffmpeg, ffprobe, version } : `is version ${version}, and 5.1 is needed`
}

const mayRun = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

async function askVersion(program: string): Promise<string | undefined> {
  const options = { timeout: 10_000, maxBuffer: 1 << 20, env: { PATH: usualFolders } }
  const answer = await promisify(execFile)(program, ['-hide_banner', '-version'], options).catch(
    () => undefined,
  )
  return /^ffmpeg version (\S+)/.exec(answer?.stdout ?? '')?.[1]
}

/** Builds from a repository call themselves N-12345-gabcdef or git-2024-05-01 and are newer than any release we know. */
export function isNewEnough(version: string): boolean {
  const numbers = /^n?(\d+)\.(\d+)/.exec(version)
  if (!numbers) return /^(N-\d|git-|20\d\d-)/.test(version)
  const [major, minor] = [Number(numbers[1]), Number(numbers[2])]
  return major > oldest.major || (major === oldest.major && minor >= oldest.minor)
}

const packagers: Readonly<Record<string, string>> = {
  debian: 'apt-get install ffmpeg',
  ubuntu: 'apt-get install ffmpeg',
  alpine: 'apk add ffmpeg',
  fedora: 'dnf install ffmpeg-free',
  rhel: 'dnf install ffmpeg-free',
  arch: 'pacman -S ffmpeg',
  suse: 'zypper install ffmpeg',
}

async function howToInstall(platform: NodeJS.Platform): Promise<string> {
  if (platform === 'darwin') return 'with `brew install ffmpeg`'
  if (platform === 'win32') return 'with `winget install ffmpeg`'
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '')
  const command = commandFor(release)
  return command
    ? `with \`${command}\``
    : 'with the package manager of this system (the package is called ffmpeg)'
}

/** The install command of a Linux, from its /etc/os-release. */
export function commandFor(release: string): string | undefined {
  const names = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].flatMap((line) =>
    (line[1] ?? '').split(' '),
  )
  return names.map((name) => packagers[name]).find((command) => command !== undefined)
}
