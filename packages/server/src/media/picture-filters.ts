import type { Size } from './ladder.js'
import type { VideoFacts } from './source-facts.js'

const toneMapping = [
  'zscale=transfer=linear:npl=100',
  'format=gbrpf32le',
  'zscale=primaries=bt709',
  'tonemap=tonemap=hable:desat=0',
  'zscale=transfer=bt709:matrix=bt709:range=tv',
]

/** Filters that deinterlace any source. ffmpeg itself rotates it upright. */
export const cleanUp = (video: VideoFacts): string[] => (video.isInterlaced ? ['yadif=mode=send_frame'] : [])

/** After scaling, because it is expensive per pixel. */
export const standardColours = (video: VideoFacts, canToneMap: boolean): string[] => [
  ...(video.isHdr && canToneMap ? toneMapping : []),
  'format=yuv420p',
]

/** JPEG uses full-range BT.601 colours only. */
export const jpegColours = 'scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p'

/** Averaging is cheap and good enough when a pixel is made from four or more. */
export const scaleTo = (from: Size, { width, height }: Size): string[] => [
  `scale=${width}:${height}:flags=${from.width >= width * 1.9 ? 'area' : 'bicubic'}`,
  'setsar=1',
]
