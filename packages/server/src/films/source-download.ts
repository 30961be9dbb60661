import type { Db } from '../db/database.js'
import { type Sealer, sameDigest } from '../lib/sealing.js'
import type { SourceFacts } from '../media/source-facts.js'

/** What a signed download address opens. */
export interface DownloadClaims {
  readonly site_id: string
  readonly video_id: string
  readonly source_id: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** The token of a download address. Tokens of playlists are signed for another purpose, so neither opens the other. */
export function signDownload(
  sealer: Sealer,
  { site_id, video_id, source_id, expires }: DownloadClaims,
): string {
  const payload = [site_id, video_id, source_id, expires.toString(36)].join('.')
  return `${payload}.${signatureOf(sealer, payload)}`
}

/** The claims of a token; undefined if it was altered, has expired or was not made here. */
export function openDownload(sealer: Sealer, token: string): DownloadClaims | undefined {
  const parts = token.split('.')
  const [site_id = '', video_id = '', source_id = '', until = '', signature = ''] = parts
  const written = signatureOf(sealer, parts.slice(0, 4).join('.'))
  if (parts.length !== 5 || !sameDigest(Buffer.from(signature), Buffer.from(written))) return undefined
  const expires = Number.parseInt(until, 36)
  return expires > Date.now() ? { site_id, video_id, source_id, expires } : undefined
}

const signatureOf = (sealer: Sealer, payload: string) =>
  Buffer.from(sealer.derive('download', payload), 'hex').toString('base64url')

/** A source as a file to download. */
export interface SourceFile {
  readonly _id: string
  readonly created_at: Date
  readonly updated_at: Date
  readonly bytes: number
  readonly name: string
  readonly type: string
}

interface SourceFileRow extends Omit<SourceFile, 'name' | 'type'> {
  readonly file_name: string | null
  readonly friendly_title: string
  readonly container: string | null
  readonly video_codec: string | null
}

/** The file of a video that is not deleted: the source named, or else the one it is published from. */
export async function findSourceFile(
  db: Db,
  site_id: string,
  video_id: string,
  source_id?: string,
): Promise<SourceFile | undefined> {
  const [row] = await db<SourceFileRow[]>`
    select sources._id, sources.created_at, sources.updated_at, bytes::float8 as bytes, file_name, friendly_title,
      container, video_codec
    from videos join sources on sources.site_id = videos.site_id and sources.video_id = videos._id
    where videos.site_id = ${site_id} and videos._id = ${video_id} and videos.deleted_at is null
      and sources._id = coalesce(${source_id ?? null}::text, media_source_id)
  `
  if (!row) return undefined
  const { _id, created_at, updated_at, bytes } = row
  return { _id, created_at, updated_at, bytes, name: row.file_name ?? row.friendly_title, type: typeOf(row) }
}

/** Media types by ffmpeg's name of the container: with a picture, and with sound only. */
const types: Readonly<Record<SourceFacts['container'], readonly [film: string, sound: string]>> = {
  mov: ['video/mp4', 'audio/mp4'],
  matroska: ['video/x-matroska', 'audio/x-matroska'],
  avi: ['video/x-msvideo', 'video/x-msvideo'],
  mpegts: ['video/mp2t', 'video/mp2t'],
  mpeg: ['video/mpeg', 'audio/mpeg'],
  flv: ['video/x-flv', 'video/x-flv'],
  asf: ['video/x-ms-asf', 'video/x-ms-asf'],
  ogg: ['video/ogg', 'audio/ogg'],
  mxf: ['application/mxf', 'application/mxf'],
  wav: ['audio/wav', 'audio/wav'],
  mp3: ['audio/mpeg', 'audio/mpeg'],
  aac: ['audio/aac', 'audio/aac'],
  flac: ['audio/flac', 'audio/flac'],
}

/** Formats that share a container and differ by the extension of the file name. */
const relatives: readonly (readonly [name: RegExp, container: string, type: string])[] = [
  [/\.webm$/i, 'matroska', 'video/webm'],
  [/\.mov$/i, 'mov', 'video/quicktime'],
]

function typeOf({ container, video_codec, file_name }: SourceFileRow): string {
  if (container === null) return 'application/octet-stream'
  const relative = relatives.find(([name, of]) => of === container && name.test(file_name ?? ''))
  const [film, sound] = types[container] ?? []
  return relative?.[2] ?? (video_codec === null ? sound : film) ?? 'application/octet-stream'
}
