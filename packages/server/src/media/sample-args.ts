import type { FfmpegPlan } from './run-ffmpeg.js'
import { titlePicture } from './sample-title.js'

/** How long each chapter is. */
const seconds = 4
const rate = 25
const palette = { sand: '#ffd9a0', coral: '#f2855e', blue: '#2855c5', night: '#0f2557', black: '#0f1730' }

const end = `trim=duration=${seconds},fps=${rate},setsar=1`
const smooth = `${end},scale=1280:720:flags=fast_bilinear,format=yuv420p`
const coarse = `${end},scale=1280:720:flags=neighbor,format=yuv420p`

/** The scenes, drawn small and enlarged, so that the film is there within two seconds. */
const scenes = [
  {
    title: 'Dawn',
    picture: `gradients=s=160x90:r=${rate}:nb_colors=3:c0=${palette.night}:c1=${palette.coral}:c2=${palette.sand}:speed=0.02:seed=7,${smooth}`,
  },
  {
    title: 'Life',
    picture: `life=s=64x36:r=5:ratio=0.3:seed=3:mold=12:life_color=${palette.sand}:death_color=${palette.blue}:mold_color=${palette.black},${coarse}`,
  },
  {
    title: 'Depth',
    picture: `mandelbrot=s=320x180:r=12.5:start_scale=2.2:end_scale=0.9:end_pts=50:maxiter=200:inner=black,hue=h=210:s=0.7,${smooth}`,
  },
] as const

/** The chapters of the sample, in milliseconds. */
export const sampleChapters = scenes.map(({ title }, index) => ({
  description: title,
  start: index * seconds * 1000,
  end: (index + 1) * seconds * 1000,
}))

const length = scenes.length * seconds
/** A bell each second, higher with every chapter. */
const bell = `0.36*sin(2*PI*t*(220+55*floor(t/${seconds})))*min(1,20*mod(t,1))*exp(-3*mod(t,1))`
const band = { height: 96, pixel: 8 }

/** A scene with its title in the upper right corner: players have a title on the left, and subtitles below. */
const titled = (scene: number) => {
  const box = `drawbox=w=iw:h=${band.height}:color=black@0.55:t=fill`
  const letters = `scale=iw*${band.pixel}:ih*${band.pixel}:flags=neighbor,format=rgba,colorkey=black`
  return `[${scene}]${box}[under${scene}];[${scenes.length + scene}]${letters}[title${scene}];[under${scene}][title${scene}]overlay=W-w-24:20[scene${scene}]`
}

const graph = [
  ...scenes.map((_, index) => titled(index)),
  `${scenes.map((_, index) => `[scene${index}]`).join('')}concat=n=${scenes.length}[film]`,
].join(';')

/** A short film of three chapters, whose names stand in the picture. ffmpeg draws it: it needs no file. */
export const samplePlan = (): FfmpegPlan => ({
  program: 'ffmpeg',
  args: [
    ...scenes.flatMap(({ picture }) => ['-f', 'lavfi', '-i', picture]),
    ...scenes.flatMap(({ title }) => ['-f', 'pbm_pipe', '-i', titlePicture(title)]),
    ...['-f', 'lavfi', '-i', `aevalsrc='${bell}':s=48000:d=${length}`],
    ...['-filter_complex', graph, '-map', '[film]', '-map', `${2 * scenes.length}:a`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50'],
    ...['-c:a', 'aac', '-ac', '2', '-b:a', '96k'],
    ...['-f', 'mp4', '-movflags', '+frag_keyframe+empty_moov+default_base_moof', 'pipe:3'],
  ],
  pipes: 1,
  files: [],
})
