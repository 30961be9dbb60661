import type { BodyOf, Catalog } from '@zoetrope/contract'
import { couldNotSave } from '../../errors.js'

/** A media file outside of this installation. */
export interface File {
  readonly url: string
  readonly type: 'hls' | 'mp4' | 'webm' | 'mp3'
  readonly width: number | null
  readonly height: number | null
  readonly aspect_ratio: number | null
}

type Sent = BodyOf<Catalog['self_hosted_sources'], 'create'>['files'][number]

const endings: Readonly<Record<string, File['type']>> = {
  m3u8: 'hls',
  mp4: 'mp4',
  m4v: 'mp4',
  mov: 'mp4',
  webm: 'webm',
  mp3: 'mp3',
}

/** Returns the files as they are stored, each with its type. */
export function readFiles(given: readonly Sent[], field = 'files'): File[] {
  const files = given.map((file) => readFile(file, field))
  if (files.length === 0) throw couldNotSave('video', field, 'must have at least one file, each with its url')
  return files
}

function readFile({ url, type, width = null, height = null }: Sent, field: string): File {
  const known = type ?? typeOf(url, field)
  const aspect_ratio = width && height ? Math.round((width / height) * 100) / 100 : null
  return { url, type: known, width, height, aspect_ratio }
}

function typeOf(url: string, field: string): File['type'] {
  if (!URL.canParse(url))
    throw couldNotSave('video', field, `has an address that cannot be read: ${url.slice(0, 200)}`)
  const ending = /\.(\w+)$/.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? ''
  const type = endings[ending]
  if (type) return type
  const how = field === 'url' ? '' : ', or come with its type'
  throw couldNotSave('video', field, `must end in .m3u8, .mp4, .webm or .mp3${how}`)
}
