import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What a person would type to make all formats of one film, with the encoder settings of the server. */
const rungs = [
  { name: 'hls_240p', width: 426, height: 240, rate: 400 },
  { name: 'hls_360p', width: 640, height: 360, rate: 800 },
  { name: 'hls_480p', width: 854, height: 480, rate: 1400 },
  { name: 'hls_720p', width: 1280, height: 720, rate: 2800 },
] as const
type Rung = (typeof rungs)[number]

const params =
  'keyint=infinite:scenecut=0:open-gop=0:b-pyramid=none:bframes=3:ref=1:weightp=1:8x8dct=1:cabac=1:vbv-init=0.4'
const everyFour = ['-force_key_frames', 'expr:gte(t,n_forced*4)']
const h264 = ({ rate }: Rung, preset: string) => [
  ...['-c:v', 'libx264', '-preset', preset, '-crf', '23', '-profile:v', 'high', '-x264-params', params],
  ...['-maxrate', `${rate}k`, '-bufsize', `${rate * 1.5}k`, ...everyFour],
]
const vp9 = [
  ...['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-row-mt', '1', '-threads', '2'],
  ...['-lag-in-frames', '0', '-auto-alt-ref', '0', '-crf', '34', '-b:v', '800k', '-maxrate', '1200k'],
  ...['-bufsize', '1600k', '-g', '9999', ...everyFour, '-c:a', 'libopus', '-b:a', '96k'],
]
const hls = (folder: string, name: string) => [
  ...['-f', 'hls', '-hls_time', '4', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'],
  ...['-hls_fmp4_init_filename', `${name}-init.mp4`, join(folder, `${name}.m3u8`)],
]

export interface Cost {
  readonly seconds: number
  readonly cpuSeconds: number
}

/** Returns the wall-clock and processor time of commands that run one after another. */
async function costOf(commands: readonly (readonly string[])[]): Promise<Cost> {
  const [begun, before] = [performance.now(), await childTime()]
  for (const args of commands)
    await promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], { maxBuffer: 1 << 24 })
  return { seconds: (performance.now() - begun) / 1000, cpuSeconds: (await childTime()) - before }
}

/** Returns the processor time of all ended children of this process. */
async function childTime(): Promise<number> {
  const stat = await readFile('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

/** One command: reads and decodes the source once, and copies its pictures and sound for the largest size. */
export async function oneCommand(source: string, folder: string, preset: string): Promise<Cost> {
  await mkdir(folder, { recursive: true })
  const graph = [
    '[0:v]scale=1280:720:flags=bicubic,format=yuv420p,split[v720][a]',
    '[a]scale=854:480:flags=bicubic,split[v480][b]',
    '[b]scale=640:360:flags=bicubic,split=3[v360][vp9][c]',
    '[c]scale=426:240:flags=bicubic[v240]',
  ].join(';')
  const tee = (name: string) =>
    `[f=hls:hls_time=4:hls_playlist_type=vod:hls_segment_type=fmp4:hls_fmp4_init_filename=${name}-init.mp4:select=v]${join(folder, `${name}.m3u8`)}|[f=mp4:movflags=+faststart]${join(folder, 'mp4_360p.mp4')}`
  const outputs = rungs.flatMap((rung) =>
    rung.name === 'hls_360p'
      ? [
          ...['-map', '[v360]', '-map', '0:a', ...h264(rung, preset), '-c:a', 'copy'],
          ...['-flags', '+global_header', '-f', 'tee', tee(rung.name)],
        ]
      : ['-map', `[v${rung.height}]`, ...h264(rung, preset), ...hls(folder, rung.name)],
  )
  return costOf([
    [
      ...['-i', source, '-filter_complex', graph, ...outputs],
      ...['-map', '0:v', '-c:v', 'copy', ...hls(folder, 'hls_1080p')],
      ...['-map', '0:a', '-c:a', 'copy', ...hls(folder, 'audio')],
      ...['-map', '[vp9]', '-map', '0:a', ...vp9, '-f', 'webm', join(folder, 'webm_360p.webm')],
    ],
  ])
}

/** Seven commands, one for each format, as in scripts that make one file per format. */
export async function sevenCommands(source: string, folder: string, preset: string): Promise<Cost> {
  await mkdir(folder, { recursive: true })
  const [, small] = rungs
  const scaled = ({ width, height }: Rung) => ['-vf', `scale=${width}:${height}:flags=bicubic`]
  return costOf([
    ...rungs.map((rung) => [
      ...['-i', source, ...scaled(rung), ...h264(rung, preset), '-c:a', 'copy'],
      ...hls(folder, rung.name),
    ]),
    ['-i', source, '-c', 'copy', ...hls(folder, 'hls_1080p')],
    [
      ...['-i', source, ...scaled(small), ...h264(small, preset), '-c:a', 'copy', '-movflags', '+faststart'],
      join(folder, 'mp4_360p.mp4'),
    ],
    ['-i', source, ...scaled(small), ...vp9, join(folder, 'webm_360p.webm')],
  ])
}
