import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Film, Player } from './trial.js'

const execute = promisify(execFile)

interface Ended {
  readonly code: number | string
  readonly output: string
}

/** Programs that hang are killed. No film here lasts half a minute. */
const longestMs = 90_000

async function run(command: readonly string[]): Promise<Ended> {
  const [program = '', ...args] = command
  try {
    const { stdout, stderr } = await execute(program, args, { timeout: longestMs, maxBuffer: 1 << 26 })
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const { code, signal, stdout, stderr } = error as { [field: string]: string | number | undefined }
    return { code: signal ?? code ?? 'unknown', output: `${stdout ?? ''}${stderr ?? ''}` }
  }
}

/** Returns the last line that names an error, short enough for a table. */
function reasonIn({ code, output }: Ended): string {
  const lines = output
    .split('\n')
    .filter((line) => /error|fail|could not|cannot/i.test(line) && !/preroll|globalhotkeys/.test(line))
  const last = lines.at(-1)?.replace(/^.*(from element \S+|libvlc error): /, '')
  return `ends with ${code}: ${(last ?? 'no word').replaceAll('|', '/').trim().slice(0, 160)}`
}

interface Program {
  readonly name: string
  /** The command that prints the version: the first number in its output. */
  readonly about: readonly string[]
  play(address: string, film: Film): Promise<string>
}

const ffmpeg: Program = {
  name: 'ffmpeg',
  about: ['ffmpeg', '-version'],
  async play(address) {
    const args = ['-nostdin', '-v', 'error', '-xerror', '-i', address, '-f', 'null', '-']
    const ended = await run(['ffmpeg', ...args])
    return ended.code === 0 ? '' : reasonIn(ended)
  },
}

const mpv: Program = {
  name: 'mpv',
  about: ['mpv', '--version'],
  async play(address, { seconds }) {
    const quiet = ['--no-config', '--vo=null', '--ao=null', '--untimed', '--ytdl=no']
    const ended = await run(['mpv', ...quiet, `--term-status-msg=at $\{time-pos/full}\\n`, address])
    const times = [...ended.output.matchAll(/at (\d+):(\d+):([\d.]+)/g)].map(
      ([, hours, minutes, rest]) => Number(hours) * 3600 + Number(minutes) * 60 + Number(rest),
    )
    const last = Math.max(0, ...times)
    if (ended.code !== 0) return reasonIn(ended)
    return last > seconds - 1 ? '' : `ends after ${last.toFixed(1)} s`
  },
}

/** VLC refuses to run as root. */
const asNobody =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []

const vlc = (folder: string): Program => ({
  name: 'VLC',
  about: [...asNobody, 'cvlc', '--version'],
  async play(address, { hasPictures, seconds }) {
    const pictures = await mkdtemp(join(folder, 'vlc-'))
    await chmod(pictures, 0o777)
    await chmod(folder, 0o755)
    // Saves every twelfth picture. A saved picture was decoded.
    const scenes = [
      '--video-filter=scene',
      '--scene-format=png',
      '--scene-ratio=12',
      `--scene-path=${pictures}`,
    ]
    const quiet = ['-I', 'dummy', '--vout', 'dummy', '--aout', 'adummy', '--no-interact', '--play-and-exit']
    const begun = performance.now()
    const ended = await run([...asNobody, 'cvlc', ...quiet, ...(hasPictures ? scenes : []), address])
    const lasted = (performance.now() - begun) / 1000
    if (ended.code !== 0) return reasonIn(ended)
    const kept = (await readdir(pictures)).length
    if (hasPictures && kept < seconds) return `shows ${kept} pictures. ${reasonIn(ended)}`
    // VLC ends sound up to a second early by the clock, and its start takes no time.
    return lasted > seconds - 2 ? '' : `ends after ${lasted.toFixed(1)} s. ${reasonIn(ended)}`
  },
})

const gstreamer: Program = {
  name: 'GStreamer',
  about: ['gst-launch-1.0', '--version'],
  async play(address) {
    const sinks = ['video-sink=fakesink', 'audio-sink=fakesink']
    const ended = await run(['gst-launch-1.0', 'playbin3', `uri=${address}`, ...sinks])
    return ended.code === 0 && /EOS/.test(ended.output) ? '' : reasonIn(ended)
  },
}

const versionIn = (output: string): string =>
  /version [vn]?(\d[\d.]*)/.exec(output)?.[1] ?? /\d[\d.]*/.exec(output)?.[0] ?? ''

/** Returns the programs that are installed. */
export async function openPrograms(folder: string): Promise<Player[]> {
  const players: Player[] = []
  for (const { about, name, play } of [ffmpeg, mpv, vlc(folder), gstreamer]) {
    const { code, output } = await run(about)
    if (code === 0)
      players.push({
        name,
        version: versionIn(output),
        play,
      })
    else console.log(`${name} is not installed, and is left out.`)
  }
  return players
}
