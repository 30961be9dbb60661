import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { formatBoxes, type HlsFormat } from '../packages/server/src/media/formats.js'

const x264 =
  'keyint=infinite:scenecut=0:open-gop=0:b-pyramid=none:bframes=3:ref=1:weightp=1:8x8dct=1:cabac=1:threads=2'
const encoded: readonly HlsFormat[] = ['hls_720p', 'hls_480p', 'hls_360p', 'hls_240p']

const run = async (args: readonly string[]): Promise<void> => {
  await promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], { maxBuffer: 1 << 26 })
}

const h264 = (name: HlsFormat) => {
  const { maxRate } = formatBoxes[name]
  return [
    ...['-c:v', 'libx264', '-preset', 'superfast', '-crf', '23', '-profile:v', 'high', '-x264-params', x264],
    ...[
      '-maxrate',
      String(maxRate),
      '-bufsize',
      String(maxRate * 1.5),
      '-force_key_frames',
      'expr:gte(t,n_forced*4)',
    ],
  ]
}
const aac = ['-c:a', 'aac', '-b:a', '128k', '-ac', '2']
const vp9 = [
  ...['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-row-mt', '1', '-threads', '2'],
  ...[
    '-lag-in-frames',
    '0',
    '-auto-alt-ref',
    '0',
    '-crf',
    '34',
    '-b:v',
    '800k',
    '-c:a',
    'libopus',
    '-b:a',
    '96k',
  ],
]
const hls = (folder: string, name: string) => [
  ...['-f', 'hls', '-hls_time', '4', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'],
  ...['-hls_fmp4_init_filename', `${name}-init.mp4`, '-hls_segment_filename', join(folder, `${name}-%d.m4s`)],
  join(folder, `${name}.m3u8`),
]
const scaled = (name: HlsFormat) => `scale=${formatBoxes[name].width}:${formatBoxes[name].height}`
const mp4 = (folder: string) => ['-movflags', '+faststart', '-f', 'mp4', join(folder, 'mp4_360p.mp4')]

/**
 * Makes the whole table with one command, as an ffmpeg expert would: one decode, each size scaled from the next larger
 * one.
 */
export async function oneCommand(source: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const graph = encoded
    .map((name, index) => {
      const isLast = index === encoded.length - 1
      const more = name === 'hls_360p' ? `split=3[${name}][vp9][n${index}]` : `split[${name}][n${index}]`
      return `${index === 0 ? '[0:v]' : `[n${index - 1}]`}${scaled(name)}${isLast ? `[${name}]` : `,${more}`}`
    })
    .join(';')
  await run([
    ...['-threads', '2', '-i', source, '-filter_complex', graph],
    ...encoded.flatMap((name) => ['-map', `[${name}]`, ...h264(name), ...hls(folder, name)]),
    ...['-map', '0:v', '-c:v', 'copy', ...hls(folder, 'hls_1080p')],
    ...['-map', '0:a', '-c:a', 'copy', ...hls(folder, 'audio')],
    ...['-map', '[vp9]', '-map', '0:a', ...vp9, '-f', 'webm', join(folder, 'webm_360p.webm')],
  ])
  // The MP4 is the 360p rung in another container, in Zoetrope too.
  const inputs = ['-i', join(folder, 'hls_360p.m3u8'), '-i', source]
  await run([...inputs, '-map', '0:v', '-map', '1:a', '-c', 'copy', ...mp4(folder)])
}

/** Makes the same with one command per format, as most scripts do. */
export async function sevenCommands(source: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const name of encoded)
    await run(['-i', source, '-vf', scaled(name), ...h264(name), ...aac, ...hls(folder, name)])
  await run(['-i', source, '-c', 'copy', ...hls(folder, 'hls_1080p')])
  await run(['-i', source, '-vf', scaled('hls_360p'), ...h264('hls_360p'), ...aac, ...mp4(folder)])
  await run(['-i', source, '-vf', scaled('hls_360p'), ...vp9, '-f', 'webm', join(folder, 'webm_360p.webm')])
}
