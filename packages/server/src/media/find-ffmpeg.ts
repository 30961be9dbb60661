import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { packagedPrograms } from './packaged-ffmpeg.js'

/** Where the programs come from: FFMPEG_PATH, the system, or npm packages. */
export type FfmpegOrigin = 'named' | 'system' | 'packages'

export interface FfmpegPrograms {
  readonly ffmpeg: string
  readonly ffprobe: string
  readonly version: string
  readonly origin: FfmpegOrigin
}

export type FfmpegSearch =
  | { readonly programs: FfmpegPrograms }
  | { readonly programs: undefined; readonly reason: string }

export interface WhereToLook {
  /** FFMPEG_PATH: the program, or its folder. */
  readonly ffmpegPath?: string
  /** PATH. */
  readonly searchPath?: string
  readonly platform?: NodeJS.Platform
  /** The programs that came with the server. */
  readonly packaged?: typeof packagedPrograms
}

const oldest = { major: 5, minor: 1 }
const usualFolders = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin'].join(delimiter)

/**
 * The configured ffmpeg, else the first on the search path that is new enough, else the packages', else what
 * to do.
 */
export async function findFfmpeg({
  ffmpegPath,
  searchPath = usualFolders,
  platform = process.platform,
  packaged = packagedPrograms,
}: WhereToLook = {}): Promise<FfmpegSearch> {
  const problems: string[] = []
  for (const candidate of await candidatesFor({ ffmpegPath, searchPath, platform, packaged })) {
    const tried = await tryPrograms(candidate)
    if (typeof tried !== 'string') return { programs: tried }
    if (candidate.origin !== 'system' || tried !== missing) problems.push(`${candidate.ffmpeg} ${tried}.`)
  }
  const begin = problems.length > 0 ? problems.join(' ') : 'ffmpeg is not installed.'
  const then = ffmpegPath ? 'Let FFMPEG_PATH name ffmpeg 5.1 or newer, or unset it and install' : 'Install'
  return { programs: undefined, reason: `${begin} ${then} it ${await howToInstall(platform)}.` }
}

type Candidate = Omit<FfmpegPrograms, 'version'>

/** In order of preference. A configured program is the only candidate: it is never replaced by another. */
async function candidatesFor({
  ffmpegPath,
  searchPath,
  platform,
  packaged,
}: Required<Omit<WhereToLook, 'ffmpegPath'>> & WhereToLook): Promise<Candidate[]> {
  const suffix = platform === 'win32' ? '.exe' : ''
  if (ffmpegPath) return [besides(await programAt(ffmpegPath, suffix), 'named')]
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '')
  const pair = await packaged()
  return [
    ...folders.map((folder) => besides(join(folder, `ffmpeg${suffix}`), 'system')),
    ...(pair ? [{ ...pair, origin: 'packages' as const }] : []),
  ]
}

const besides = (ffmpeg: string, origin: FfmpegOrigin): Candidate => ({
  ffmpeg,
  ffprobe: join(dirname(ffmpeg), basename(ffmpeg).replace('ffmpeg', 'ffprobe')),
  origin,
})

async function programAt(path: string, suffix: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ? join(path, `ffmpeg${suffix}`) : path
}

const missing = 'is not there or may not be run'

/** The programs with their version, or what is wrong with them. */
async function tryPrograms(candidate: Candidate): Promise<FfmpegPrograms | string> {
  const { ffmpeg, ffprobe } = candidate
  if (!(await mayRun(ffmpeg))) return missing
  if (ffprobe === ffmpeg || !(await mayRun(ffprobe)))
    return candidate.origin === 'packages'
      ? `needs ${ffprobe}, which this user may not run`
      : 'has no ffprobe beside it'
  const version = await askVersion(ffmpeg)
  if (version === undefined) return 'does not say its version'
  return isNewEnough(version) ? { ...candidate, version } : `is version ${version}, and 5.1 is needed`
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

/**
 * Builds from a repository are called N-12345-gabcdef or git-2024-05-01 and are newer than any release we
 * know.
 */
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

/** The install command of a Linux distribution, from its /etc/os-release. */
export function commandFor(release: string): string | undefined {
  const names = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].flatMap((line) =>
    (line[1] ?? '').split(' '),
  )
  return names.map((name) => packagers[name]).find((command) => command !== undefined)
}
