import { delimiter, dirname } from 'node:path'
import { findFfmpeg } from '../../packages/server/src/media/find-ffmpeg.js'

/** Puts the server's ffmpeg and ffprobe on the PATH of this process and its children. */
export async function putFfmpegOnPath(): Promise<void> {
  const search = await findFfmpeg({ searchPath: process.env.PATH ?? '' })
  if (!search.programs) throw new Error(search.reason)
  const { ffmpeg, ffprobe } = search.programs
  process.env.PATH = [dirname(ffmpeg), dirname(ffprobe), process.env.PATH].join(delimiter)
}
