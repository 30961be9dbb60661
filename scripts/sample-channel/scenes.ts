import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'

/** A landscape: colours from the sky down to the foreground, and the objects in it. */
export interface Scene {
  readonly title: string
  readonly sky: readonly [string, string]
  readonly layers: readonly string[]
  readonly light: string
  readonly motif: 'lighthouse' | 'train' | 'stars' | 'boats' | 'town' | 'trees'
  readonly seconds: number
}

const [width, height] = [1100, 360]

/** Draws a line of hills or waves, always the same for the same seed. */
function ridge(base: number, swing: number, seed: number): string {
  const points = Array.from({ length: 56 }, (_, index) => {
    const x = index * 20
    const y = Math.sin(x / 90 + seed) * swing + Math.sin(x / 37 + seed * 2.3) * swing * 0.45
    return `${x},${(base + y).toFixed(1)}`
  })
  return `M0,${height} L${points.join(' L')} L${width},${height} Z`
}

const boxes = (count: number, draw: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => draw(index)).join('')

const motifs: Readonly<Record<Scene['motif'], string>> = {
  lighthouse:
    '<g transform="translate(-510,-10)"><path d="M690,300 l10,-120 h24 l10,120 z" fill="#f6efe2"/><path d="M697,240 h30 l2,22 h-34 z" fill="#c8453b"/><rect x="698" y="160" width="28" height="20" fill="#fbe08a"/><path d="M692,160 l20,-20 l20,20 z" fill="#c8453b"/></g>',
  train: boxes(
    7,
    (index) =>
      `<rect x="${180 + index * 104}" y="248" width="98" height="44" rx="6" fill="#23304f"/>${boxes(4, (at) => `<rect x="${190 + index * 104 + at * 23}" y="258" width="15" height="14" fill="#ffd98a"/>`)}`,
  ),
  stars: boxes(
    90,
    (index) =>
      `<circle cx="${(index * 137.5) % width}" cy="${(index * 71.3) % 210}" r="${0.8 + (index % 3) * 0.6}" fill="#fff"/>`,
  ),
  boats: boxes(5, (index) => {
    const [x, y] = [150 + index * 190, 262 + (index % 2) * 22]
    return `<path d="M${x},${y} h70 l-12,16 h-46 z" fill="#5b2f27"/><path d="M${x + 34},${y - 6} v-62 l34,58 z" fill="#fdf4e3"/>`
  }),
  town: boxes(22, (index) => {
    const tall = 60 + ((index * 53) % 90)
    return `<rect x="${index * 52}" y="${300 - tall}" width="42" height="${tall + 20}" fill="#3a2f47"/>${boxes(3, (at) => `<rect x="${index * 52 + 8 + at * 11}" y="${310 - tall}" width="6" height="9" fill="${(index + at) % 2 ? '#ffcf75' : '#5b4c6c'}"/>`)}`
  }),
  trees: boxes(
    26,
    (index) =>
      `<path d="M${index * 44},300 l18,-${70 + ((index * 37) % 46)} l18,${70 + ((index * 37) % 46)} z" fill="#1f4035"/>`,
  ),
}

function drawing({ sky, layers, light, motif }: Scene, seed: number): string {
  const hills = layers.map(
    (color, index) =>
      `<path d="${ridge(190 + index * 46, 26 - index * 5, seed + index * 1.7)}" fill="${color}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" style="display:block">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>
    <circle cx="${320 + ((seed * 97) % 300)}" cy="110" r="42" fill="${light}"/>
    ${motif === 'stars' ? motifs.stars : ''}${hills.slice(0, -1).join('')}${motif === 'stars' ? '' : motifs[motif]}${hills.at(-1)}
  </svg>`
}

/** Films the scenes with a slow camera pan and a quiet sound. Returns the files. */
export async function filmScenes(
  browser: Browser,
  scenes: readonly Scene[],
  folder: string,
): Promise<string[]> {
  const page = await browser.newPage({ viewport: { width, height } })
  const films: string[] = []
  for (const [index, scene] of scenes.entries()) {
    await page.setContent(`<body style="margin:0">${drawing(scene, index + 1)}</body>`)
    const picture = join(folder, `${index}.png`)
    await writeFile(picture, await page.screenshot())
    const film = join(folder, `${index}.mp4`)
    const { seconds } = scene
    const moved = `crop=640:360:x='(iw-640)*t/${seconds}':y=0,format=yuv420p`
    const picturing = ['-loop', '1', '-framerate', '24', '-i', picture, '-vf', moved]
    const sounding = [
      '-f',
      'lavfi',
      '-i',
      `sine=frequency=${180 + index * 30}:duration=${seconds}`,
      '-af',
      'volume=0.1',
    ]
    await promisify(execFile)('ffmpeg', [
      ...['-y', '-loglevel', 'error', ...picturing.slice(0, 6), ...sounding.slice(0, 4)],
      ...[...picturing.slice(6), ...sounding.slice(4), '-t', String(seconds)],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-c:a', 'aac', film],
    ])
    films.push(film)
  }
  await page.close()
  return films
}
