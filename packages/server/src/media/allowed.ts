import type { MediaSource } from './media-source.js'

/**
 * What ffmpeg may open and decode. Everything else is disabled, whatever the bytes claim to be: playlists and
 * scripts open other files, and rare decoders have the memory errors.
 */
export const demuxers = [
  ['mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2'],
  ['matroska', 'webm'],
  ['avi', 'mpegts', 'mpeg', 'flv', 'asf', 'ogg', 'mxf', 'wav', 'mp3', 'aac', 'flac'],
].flat()

const videoDecoders = [
  ['h264', 'hevc', 'vp8', 'vp9', 'av1', 'libdav1d', 'mpeg1video', 'mpeg2video', 'mpegvideo', 'mpeg4'],
  ['h263', 'flv', 'theora', 'wmv1', 'wmv2', 'wmv3', 'vc1', 'msmpeg4', 'mjpeg', 'prores', 'dnxhd', 'dvvideo'],
].flat()

const audioDecoders = [
  ['aac', 'mp3', 'mp3float', 'mp2', 'mp2float', 'mp1', 'mp1float', 'ac3', 'eac3', 'dca', 'opus', 'vorbis'],
  ['flac', 'alac', 'wmav1', 'wmav2', 'wmapro', 'amrnb', 'amrwb', 'pcm_s8', 'pcm_u8', 'pcm_alaw', 'pcm_mulaw'],
  ['pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be', 'pcm_s32le', 'pcm_s32be', 'pcm_f32le', 'pcm_f32be'],
].flat()

export const decoders = [...videoDecoders, ...audioDecoders]

/** ffprobe names codecs, the list names decoders; these differ. */
const codecsByOtherNames = ['msmpeg4v3', 'dts', 'flv1', 'amr_nb', 'amr_wb']
const codecs = new Set([...decoders, ...codecsByOtherNames])

export const isAllowedCodec = (name: string) => codecs.has(name)

/** A film that is offered has no reason to open a file, and one that is a file none to connect anywhere. */
const protocolsFor = (source: MediaSource) => (typeof source === 'string' ? 'file,pipe' : 'http,tcp')

const limitsWith = (source: MediaSource, names: readonly string[]): readonly string[] =>
  [
    ['-protocol_whitelist', protocolsFor(source)],
    ['-format_whitelist', demuxers.join()],
    ['-codec_whitelist', names.join()],
  ].flat()

/** Precedes every input of ffmpeg. */
export const inputLimits = (source: MediaSource) => limitsWith(source, decoders)

const textDecoders = ['mov_text', 'subrip', 'srt', 'ass', 'ssa', 'webvtt', 'text']

/** Precedes the input from which subtitles are read. */
export const subtitleInput = (source: MediaSource) => limitsWith(source, [...decoders, ...textDecoders])

/** Subtitles and covers in the file; ffprobe gives up on a track it may not even name. */
const besideFilms = [
  [...textDecoders, 'dvdsub', 'dvbsub', 'pgssub'],
  ['cc_dec', 'libzvbi_teletextdec', 'png', 'bmp'],
].flat()

const named = [...decoders, ...besideFilms]

/** Precedes every input of ffprobe. */
export const probeLimits = (source: MediaSource) => limitsWith(source, named)

/**
 * Lets ffprobe name tracks of other codecs. None of them is decoded: these options apply to tracks, and the
 * container's list, which decides about decoding, is unchanged.
 */
export const namedWith = (strangers: readonly string[]): string[] =>
  strangers.length === 0
    ? []
    : ['v', 'a', 's', 'd'].flatMap((kind) => [`-codec_whitelist:${kind}`, [...named, ...strangers].join()])

/** Prevents a path from being read as an option, a protocol or a pattern. */
export const inputName = (source: MediaSource) =>
  typeof source === 'string' ? `file:${source}` : source.address
