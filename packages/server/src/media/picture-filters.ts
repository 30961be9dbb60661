import type { Size } from './ladder.js'
import type { VideoFacts } from './source-facts.js'

const toneMapping = [
  'zscale=transfer=linear:npl=100',
  'format=gbrpf32le',
  'zscale=primaries=bt709',
  'tonemap=tonemap=hable:desat=0',
  'zscale=transfer=bt709:matrix=bt709:range=tv',
]

/** What makes an upright, progressive picture of standard colours from any source. ffmpeg itself turns it upright. */
export const cleanUp = (video: VideoFacts): string[] => (video.isInterlaced ? ['yadif=mode=send_frame'] : [])

/** After scaling, since it is costly for every pixel. */
export const standardColours = (video: VideoFacts, canToneMap: boolean): string[] => [
  ...(video.isHdr && canToneMap ? toneMapping : []),
  'format=yuv420p',
]

/** JPEG knows one kind of colours: those of BT.601, in their full range. */
export const jpegColours = 'scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p'

/** Averaging is enough, and cheap, where a pixel is made of four. */
export const scaleTo = (from: Size, { width, height }: Size): string[] => [
  `scale=${width}:${height}:flags=${from.width >= width * 1.9 ? 'area' : 'bicubic'}`,
  'setsar=1',
]
