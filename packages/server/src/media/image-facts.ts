import { limits } from '@zoetrope/contract'
import type { Size } from './ladder.js'

export type ImageForm = 'jpeg' | 'png' | 'webp' | 'gif'

/** The EXIF orientation of an image: 1 is upright, the others are rotated or mirrored. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

export interface ImageFacts extends Size {
  readonly form: ImageForm
  readonly orientation: Orientation
}

/** A file that is not an image, or not an accepted one. The message is for the uploader. */
export class ImageRefused extends Error {}

const most = { side: limits.image_side.value, pixels: limits.image_pixels.value }
const leastSide = 16

const notAnImage = () =>
  new ImageRefused('The file is not an image that can be shown. Send a JPEG, PNG, WebP or GIF.')

/** The facts in an image's first bytes. Nothing is decoded, so a wrong header does no harm. */
export function readImageFacts(bytes: Buffer): ImageFacts {
  const found = readHeader(bytes)
  if (!found) throw notAnImage()
  const { width, height } = found
  const { side, pixels } = most
  if (Math.min(width, height) < leastSide)
    throw new ImageRefused(`The image has ${width} × ${height} pixels; ${leastSide} a side are the least.`)
  if (Math.max(width, height) > side || width * height > pixels)
    throw new ImageRefused(
      `The image has ${width} × ${height} pixels. ${side.toLocaleString('en')} a side and ${pixels / 1e6} million in all are the most.`,
    )
  return found
}

function readHeader(bytes: Buffer): ImageFacts | undefined {
  try {
    return readPng(bytes) ?? readGif(bytes) ?? readWebp(bytes) ?? readJpeg(bytes)
  } catch (error) {
    // The file ends within its header.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const upright = (form: ImageForm, width: number, height: number): ImageFacts => ({
  form,
  width,
  height,
  orientation: 1,
})

function readPng(bytes: Buffer): ImageFacts | undefined {
  const begins =
    bytes.toString('hex', 0, 8) === '89504e470d0a1a0a' && bytes.toString('latin1', 12, 16) === 'IHDR'
  return begins ? upright('png', bytes.readUInt32BE(16), bytes.readUInt32BE(20)) : undefined
}

function readGif(bytes: Buffer): ImageFacts | undefined {
  const begins = /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))
  return begins ? upright('gif', bytes.readUInt16LE(6), bytes.readUInt16LE(8)) : undefined
}

function readWebp(bytes: Buffer): ImageFacts | undefined {
  if (!/^RIFF....WEBPVP8[ LX]$/s.test(bytes.toString('latin1', 0, 16))) return undefined
  const kind = bytes.toString('latin1', 15, 16)
  if (kind === 'X') {
    if ((bytes.readUInt8(20) & 2) !== 0)
      throw new ImageRefused('The image moves. Send one that does not, such as its first picture.')
    return upright('webp', bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
  }
  if (kind === 'L') {
    const sizes = bytes.readUInt32LE(21)
    return bytes.readUInt8(20) === 0x2f
      ? upright('webp', (sizes & 0x3fff) + 1, ((sizes >>> 14) & 0x3fff) + 1)
      : undefined
  }
  const isKeyFrame = bytes.readUIntBE(23, 3) === 0x9d012a
  return isKeyFrame
    ? upright('webp', bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
    : undefined
}

/** Frames of baseline and progressive JPEG; rarer ones are refused. */
const frames = new Set([0xc0, 0xc1, 0xc2])
const mostSegments = 1000

function readJpeg(bytes: Buffer): ImageFacts | undefined {
  if (bytes.toString('hex', 0, 3) !== 'ffd8ff') return undefined
  let orientation: Orientation = 1
  for (const { marker, body } of jpegSegments(bytes)) {
    if (marker === 0xe1) orientation = orientationIn(body) ?? orientation
    if (frames.has(marker))
      return { form: 'jpeg', height: body.readUInt16BE(1), width: body.readUInt16BE(3), orientation }
    if (!isSkipped(marker)) return undefined
  }
  return undefined
}

/** The segments of a JPEG in order, as far as they can be read. */
function* jpegSegments(bytes: Buffer): Generator<{ readonly marker: number; readonly body: Buffer }> {
  let at = 2
  for (let segment = 0; segment < mostSegments && bytes.readUInt8(at) === 0xff; segment += 1) {
    // Any number of these fill bytes may precede a marker.
    while (bytes.readUInt8(at + 1) === 0xff) at += 1
    const length = Math.max(2, bytes.readUInt16BE(at + 2))
    yield { marker: bytes.readUInt8(at + 1), body: bytes.subarray(at + 4, at + 2 + length) }
    at += 2 + length
  }
}

/** Tables, comments and application data: everything that may precede the frame. */
const isSkipped = (marker: number) =>
  marker === 0xc4 || marker === 0xdb || marker === 0xdd || marker === 0xfe || (marker & 0xf0) === 0xe0

/** Tag 0x0112 of the first IFD in EXIF. */
function orientationIn(segment: Buffer): Orientation | undefined {
  if (segment.toString('latin1', 0, 6) !== 'Exif\0\0') return undefined
  const tiff = segment.subarray(6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const two = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  try {
    const list = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
    for (let entry = 0; entry < Math.min(two(list), 200); entry += 1) {
      const at = list + 2 + entry * 12
      if (two(at) === 0x0112) return orientations.find((value) => value === two(at + 8))
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return undefined
}

const orientations: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8]

/** Its size when upright. */
export const uprightSize = ({ width, height, orientation }: ImageFacts): Size =>
  orientation < 5 ? { width, height } : { width: height, height: width }
