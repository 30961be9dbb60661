import type { FfmpegPlan } from './run-ffmpeg.js'

const seconds = 10

/** A moving test picture with a tone, drawn by ffmpeg itself: a film that needs no file. */
export const samplePlan = (): FfmpegPlan => ({
  program: 'ffmpeg',
  args: [
    ...['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=25:duration=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${seconds}`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '50'],
    ...['-c:a', 'aac', '-ac', '2', '-b:a', '96k'],
    ...['-f', 'mp4', '-movflags', '+frag_keyframe+empty_moov+default_base_moof', 'pipe:3'],
  ],
  pipes: 1,
  files: [],
})
