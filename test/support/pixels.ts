import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Returns the mean colour of the picture at an address, as red, green and blue from 0 to 255. */
export async function colourOf(url: string): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-pixels-'))
  try {
    const path = join(folder, 'picture')
    await writeFile(path, Buffer.from(await (await fetch(url)).arrayBuffer()))
    const { stdout } = await promisify(execFile)(
      'ffmpeg',
      ['-v', 'error', '-i', path, '-vf', 'scale=1:1:flags=area', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
      { encoding: 'buffer' },
    )
    return [...stdout.subarray(0, 3)]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the dominant colour. */
export function nameOf([red = 0, green = 0, blue = 0]: readonly number[]): string {
  if (red > 200 && green > 200 && blue > 200) return 'white'
  return red > green && red > blue ? 'red' : blue > green ? 'blue' : 'green'
}
