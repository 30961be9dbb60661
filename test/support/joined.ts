import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = (program: string, args: readonly string[]) =>
  promisify(execFile)(program, ['-v', 'error', ...args], { encoding: 'buffer', maxBuffer: 1 << 28 })

interface Packet {
  readonly pts: number
  readonly dts: number
  readonly duration: number
  readonly isKey: boolean
}

/**
 * Returns the facts of the only track of a file, its packets in file order, and how many frames of it can be decoded. Fails
 * if any of it cannot. One run of ffprobe for all: starting it takes longer than reading a short film.
 */
export async function readTrack(path: string) {
  const { stdout, stderr } = await run('ffprobe', [
    ...['-count_frames', '-show_entries', 'stream:packet=pts,dts,duration,flags', '-of', 'json', path],
  ])
  assert.equal(stderr.toString(), '', `${path} cannot be decoded`)
  const { packets, streams } = JSON.parse(stdout.toString()) as {
    packets: (Packet & { flags: string })[]
    streams: Record<string, unknown>[]
  }
  assert.equal(streams.length, 1)
  return {
    facts: streams[0] ?? {},
    packets: packets.map(({ flags, ...packet }) => ({ ...packet, isKey: flags.startsWith('K') })),
    frames: Number(streams[0]?.nb_read_frames),
  }
}

/** Returns the times that do not follow their predecessor by exactly one step. */
export const breaksIn = (times: readonly number[], step: number) =>
  times.filter((time, index) => index > 0 && time - (times[index - 1] ?? 0) !== step)

/** Returns the sound of a file, mixed down to one channel at 48 kHz. Throws if any of it cannot be decoded. */
export async function samplesOf(path: string): Promise<Float32Array> {
  const args = ['-xerror', '-i', path, '-map', '0:a:0', '-ac', '1', '-ar', '48000', '-f', 'f32le', '-']
  const { stdout } = await run('ffmpeg', args)
  return new Float32Array(new Uint8Array(stdout).buffer)
}

/** Returns the number of pictures that can be decoded. */
export async function picturesIn(path: string): Promise<number> {
  const { stdout } = await run('ffmpeg', [
    ...['-xerror', '-i', path, '-map', '0:v:0', '-fps_mode', 'passthrough'],
    ...['-vf', 'scale=2:2,format=gray', '-f', 'rawvideo', '-'],
  ])
  return stdout.length / 4
}

/** Returns the largest error against the source in blocks of 10 ms, excluding the very beginning and end. */
export function worstBlock(made: Float32Array, original: Float32Array): number {
  const block = 480
  let worst = 0
  for (let at = 8 * block; at + 8 * block < Math.min(made.length, original.length); at += block) {
    let sum = 0
    for (let index = at; index < at + block; index += 1)
      sum += ((made[index] ?? 0) - (original[index] ?? 0)) ** 2
    worst = Math.max(worst, Math.sqrt(sum / block))
  }
  return worst
}

/** Returns what ffprobe reports about the first video track and the first audio track. */
export async function factsIn(path: string) {
  const { stdout } = await run('ffprobe', ['-show_streams', '-show_format', '-of', 'json', path])
  const { streams = [] } = JSON.parse(stdout.toString()) as { streams?: Record<string, unknown>[] }
  return {
    video: streams.find(({ codec_type }) => codec_type === 'video'),
    audio: streams.find(({ codec_type }) => codec_type === 'audio'),
  }
}
