import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'

/** The attributes of a playlist tag, without their quotes. */
export type Attributes = Readonly<Record<string, string>>

export interface Variant {
  readonly attributes: Attributes
  readonly address: string
}

export interface Master {
  readonly text: string
  readonly variants: readonly Variant[]
  /** EXT-X-MEDIA and EXT-X-I-FRAME-STREAM-INF. Their address is their URI. */
  readonly media: readonly Variant[]
  readonly keyFrames: readonly Variant[]
}

export interface MediaSegment {
  readonly seconds: number
  readonly address: string
  /** The number of bytes from the beginning, if the playlist specifies a byte range. */
  readonly length: number | undefined
}

export interface Playlist {
  readonly text: string
  readonly target: number
  readonly init: string
  readonly segments: readonly MediaSegment[]
}

const attributesIn = (line: string): Attributes =>
  Object.fromEntries(
    [...line.matchAll(/([A-Z0-9-]+)=("([^"]*)"|[^,]*)/g)].map(([, name = '', bare = '', text]) => [
      name,
      text ?? bare,
    ]),
  )

const linesOf = (text: string, tag: string) => text.split('\n').filter((line) => line.startsWith(`#${tag}:`))

export async function readText(address: string): Promise<string> {
  const reply = await fetch(address)
  const text = await reply.text()
  if (reply.status !== 200) throw new Error(`${reply.status} ${text}`)
  return text
}

export async function readBytes(address: string, length?: number): Promise<Buffer> {
  const reply = await fetch(
    address,
    length === undefined ? {} : { headers: { range: `bytes=0-${length - 1}` } },
  )
  const bytes = Buffer.from(await reply.arrayBuffer())
  if (reply.status !== (length === undefined ? 200 : 206)) throw new Error(`${reply.status} ${bytes}`)
  return bytes
}

export async function readMaster(address: string): Promise<Master> {
  const text = await readText(address)
  const withUri = (line: string) => ({
    attributes: attributesIn(line),
    address: attributesIn(line).URI ?? '',
  })
  const lines = text.split('\n')
  return {
    text,
    variants: lines.flatMap((line, index) =>
      line.startsWith('#EXT-X-STREAM-INF:')
        ? [{ attributes: attributesIn(line), address: lines[index + 1] ?? '' }]
        : [],
    ),
    media: linesOf(text, 'EXT-X-MEDIA').map(withUri),
    keyFrames: linesOf(text, 'EXT-X-I-FRAME-STREAM-INF').map(withUri),
  }
}

export async function readPlaylist(address: string): Promise<Playlist> {
  const text = await readText(address)
  const found = text.matchAll(/#EXTINF:([\d.]+),\n(?:#EXT-X-BYTERANGE:(\d+)@0\n)?([^#\n]+)/g)
  const at = (place: string) => new URL(place, address).href
  return {
    text,
    target: Number(/#EXT-X-TARGETDURATION:(\d+)/.exec(text)?.[1]),
    init: at(/#EXT-X-MAP:URI="([^"]+)"/.exec(text)?.[1] ?? ''),
    segments: [...found].map(([, seconds, length, place = '']) => ({
      seconds: Number(seconds),
      address: at(place),
      length: length === undefined ? undefined : Number(length),
    })),
  }
}

/** RFC 8216, 4.1: the peak rate of adjacent segments that last 0.5 to 1.5 target durations, and the average rate. */
export async function ratesOf({ target, segments }: Playlist): Promise<{ peak: number; average: number }> {
  const sizes: number[] = []
  for (const { address, length } of segments) sizes.push(length ?? (await readBytes(address)).length)
  const rateOf = (from: number, to: number) => {
    const seconds = segments.slice(from, to).reduce((sum, segment) => sum + segment.seconds, 0)
    return { seconds, rate: (sizes.slice(from, to).reduce((sum, size) => sum + size, 0) * 8) / seconds }
  }
  const sets = segments.flatMap((_, from) =>
    segments.slice(from).map((_segment, count) => rateOf(from, from + count + 1)),
  )
  const average = rateOf(0, segments.length).rate
  const fitting = sets.filter(({ seconds }) => seconds >= target / 2 && seconds <= target * 1.5)
  return { peak: Math.max(average, ...fitting.map(({ rate }) => rate)), average }
}

/** Returns the codec of an init segment's track, as playlists write it. */
export function codecOf(init: Buffer): string {
  const avc = init.indexOf('avcC')
  if (avc > 0) return `avc1.${init.toString('hex', avc + 5, avc + 8).toUpperCase()}`
  // The decoder type, and the AAC type in the first five bits of its configuration.
  const [decoder, config] = [4, 5].map((tag) => init.lastIndexOf(Buffer.from([tag, 0x80, 0x80, 0x80])))
  return `mp4a.${(init[(decoder ?? 0) + 5] ?? 0).toString(16)}.${(init[(config ?? 0) + 5] ?? 0) >> 3}`
}

/** Returns a response's content encoding, its size on the wire and its decoded text. */
export async function readPacked(
  address: string,
): Promise<{ encoding: string; bytes: number; text: string }> {
  return new Promise((resolve, reject) => {
    request(address, { headers: { 'accept-encoding': 'gzip, deflate' } }, async (reply) => {
      const chunks: Buffer[] = []
      for await (const chunk of reply) chunks.push(chunk as Buffer)
      const sent = Buffer.concat(chunks)
      const encoding = reply.headers['content-encoding'] ?? ''
      resolve({ encoding, bytes: sent.length, text: (encoding ? gunzipSync(sent) : sent).toString() })
    })
      .on('error', reject)
      .end()
  })
}
