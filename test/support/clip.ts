import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { patienceMs } from './patience.js'

/** A film of a few seconds, as small as the test allows. */
export interface ClipWish {
  readonly size?: string
  readonly rate?: string
  readonly seconds?: number
  /** `none` makes a silent film. */
  readonly audio?: 'none' | 'aac' | 'mp3' | 'mp2' | 'opus' | 'pcm_s16le'
  readonly channels?: number
  readonly sampleRate?: number
  /** Several audio tracks instead of one, each a tone of its own. */
  readonly voices?: readonly Voice[]
  /** The length of the sound, if it differs from that of the pictures. */
  readonly audioSeconds?: number
  readonly codec?:
    | 'libx264'
    | 'libx265'
    | 'libvpx-vp9'
    | 'mpeg4'
    | 'mpeg2video'
    | 'prores'
    | 'magicyuv'
    | 'none'
  readonly rotate?: 90 | 180 | 270
  readonly container?: 'mp4' | 'mkv' | 'webm' | 'avi' | 'ts' | 'mpg' | 'flv' | 'm4a' | 'mp3' | 'mov'
  /** The number of frames between key frames. */
  readonly keyEvery?: number
  readonly sampleAspect?: string
  readonly pixelFormat?: string
  readonly isInterlaced?: boolean
  readonly isHdr?: boolean
  readonly hasVariableRate?: boolean
  /** More options, placed before the output's name. */
  readonly more?: readonly string[]
}

/** An audio track of a clip. */
export interface Voice {
  readonly hertz: number
  readonly language?: string
  readonly title?: string
  /** ffmpeg's word: default, visual_impaired, comment. */
  readonly disposition?: string
}

/** Clips are made once per test run, in its folder. Outside of a test run, they are made once per process. */
let folder: string | undefined = process.env.TEST_CLIPS
const made = new Map<string, Promise<string>>()

function clipFolder(): string {
  if (folder) {
    mkdirSync(folder, { recursive: true })
    return folder
  }
  const created = mkdtempSync(join(tmpdir(), 'zoetrope-clips-'))
  process.once('exit', () => rmSync(created, { recursive: true, force: true }))
  folder = created
  return created
}

/** Returns the path of the clip. Equal wishes share one clip. */
export function makeClip(wish: ClipWish = {}): Promise<string> {
  const key = JSON.stringify(wish)
  const known = made.get(key) ?? encode(wish, key)
  made.set(key, known)
  return known
}

const ffmpeg = (args: readonly string[]) =>
  promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], { timeout: 5 * patienceMs })

async function encode(wish: ClipWish, key: string): Promise<string> {
  const name = createHash('sha256').update(key).digest('hex').slice(0, 16)
  const container = wish.container ?? 'mp4'
  const path = join(clipFolder(), `${name}.${container}`)
  if (existsSync(path)) return path
  // Another process may make the same clip at the same time, so each writes its own file and renames it when complete.
  const own = join(clipFolder(), `${name}.${process.pid}.${container}`)
  const upright = wish.rotate ? join(clipFolder(), `${name}.${process.pid}.upright.mp4`) : own
  await ffmpeg([...inputs(wish), ...pictures(wish), ...sound(wish), ...(wish.more ?? []), upright])
  if (wish.rotate) {
    await turn(upright, wish.rotate, own)
    rmSync(upright)
  }
  renameSync(own, path)
  return path
}

/** Rotates clockwise. ffmpeg 6 and newer have an option for it, which counts counterclockwise; 5.1 uses metadata. */
const turn = (from: string, degrees: number, to: string) =>
  ffmpeg(['-display_rotation', String(-degrees), '-i', from, '-c', 'copy', to]).catch(() =>
    ffmpeg(['-i', from, '-c', 'copy', '-metadata:s:v', `rotate=${degrees}`, to]),
  )

function inputs({
  size = '320x180',
  rate = '30',
  seconds = 2,
  audio = 'aac',
  codec,
  channels = 2,
  sampleRate,
  audioSeconds = seconds,
  voices,
}: ClipWish) {
  const tones = Array.from(
    { length: channels },
    (_, index) => `0.4*sin(${2 * Math.PI * (440 + 110 * index)}*t)`,
  )
  const sounds = voices ? voices.map(({ hertz }) => `0.4*sin(${2 * Math.PI * hertz}*t)`) : [tones.join('|')]
  const voice = (expression: string) => `aevalsrc=${expression}:s=${sampleRate ?? 48_000}:d=${audioSeconds}`
  return [
    ...(codec === 'none' ? [] : ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=${seconds}`]),
    ...(audio === 'none' ? [] : sounds.flatMap((expression) => ['-f', 'lavfi', '-i', voice(expression)])),
  ]
}

const filtersFor = (wish: ClipWish): string[] => [
  ...(wish.sampleAspect ? [`setsar=${wish.sampleAspect}`] : []),
  ...(wish.isInterlaced ? ['tinterlace=mode=interleave_top'] : []),
  // ffmpeg 7.1 and newer take the colours of the frames, not of the options below.
  ...(wish.isHdr ? ['setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc'] : []),
  ...(wish.hasVariableRate ? ["select='not(eq(mod(n,7),3))+lt(n,10)'"] : []),
]

function pictures(wish: ClipWish): string[] {
  const { codec = 'libx264', keyEvery = 30, pixelFormat = 'yuv420p' } = wish
  if (codec === 'none') return ['-vn']
  const filters = filtersFor(wish)
  return [
    ...(filters.length > 0 ? ['-vf', filters.join()] : []),
    ...(wish.hasVariableRate ? ['-fps_mode', 'vfr'] : []),
    ...['-c:v', codec, '-g', String(keyEvery)],
    ...(codec === 'magicyuv' ? [] : ['-pix_fmt', pixelFormat]),
    ...(codec === 'libx264' ? ['-preset', 'veryfast', '-threads', '1', '-sc_threshold', '0'] : []),
    ...(codec === 'libx265' ? ['-preset', 'ultrafast', '-x265-params', 'log-level=none'] : []),
    ...(codec === 'libvpx-vp9' ? ['-deadline', 'realtime', '-cpu-used', '8'] : []),
    ...(wish.isInterlaced ? ['-flags', '+ilme+ildct', '-x264-params', 'tff=1'] : []),
    ...(wish.isHdr
      ? ['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc']
      : []),
  ]
}

function sound({ audio = 'aac', voices, codec: pictures }: ClipWish): string[] {
  if (audio === 'none') return ['-an']
  const maps =
    voices && (pictures === 'none' ? voices : [...voices, {}]).flatMap((_, input) => ['-map', `${input}`])
  const about = voices?.flatMap(({ language, title, disposition = '0' }, index) => [
    ...(language ? [`-metadata:s:a:${index}`, `language=${language}`] : []),
    ...(title ? [`-metadata:s:a:${index}`, `title=${title}`] : []),
    ...[`-disposition:a:${index}`, disposition],
  ])
  const codec = audio === 'mp3' ? 'libmp3lame' : audio === 'opus' ? 'libopus' : audio
  const quickly = codec === 'aac' ? ['-aac_coder', 'fast'] : []
  return [...(maps ?? []), ...(about ?? []), '-c:a', codec, ...quickly, '-b:a', '96k']
}
