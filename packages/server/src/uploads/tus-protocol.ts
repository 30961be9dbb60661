import { nest } from '../api/brackets.js'
import type { UploadGrant } from '../auth/upload-tokens.js'
import { invalid } from '../errors.js'
import { cleanFileName } from '../lib/file-name.js'
import { isObject } from '../lib/is-object.js'
import type { AppendOptions } from '../storage/storage.js'
import { readTarget, type UploadTarget } from './upload-target.js'

export const tusVersion = '1.0.0'
export const tusExtensions = 'creation,creation-with-upload,termination,checksum,expiration'
export const bytesType = 'application/offset+octet-stream'

const algorithms = ['sha1', 'md5', 'sha256'] as const
export const tusAlgorithms = algorithms.join()

/** Statuses to which only this protocol gives a meaning. */
const codes = {
  400: 'bad_request',
  409: 'conflict',
  410: 'gone',
  412: 'precondition_failed',
  415: 'unsupported_media_type',
  460: 'checksum_mismatch',
} as const

/** An error with a status of the tus protocol. */
export class TusRefusal extends Error {
  readonly status: keyof typeof codes

  constructor(status: keyof typeof codes, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }

  get code(): string {
    return codes[this.status]
  }
}

type Header = string | string[] | undefined

/** A header with a number of bytes. */
export function readBytes(name: string, value: Header): number {
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value)
  throw invalid(`The header ${name} must be a number of bytes.`)
}

export function readChecksum(value: Header): AppendOptions['checksum'] {
  if (value === undefined) return undefined
  const [, name, written] = /^(\S+) +([a-z0-9+/]+={0,2})$/i.exec(String(value)) ?? []
  const algorithm = algorithms.find((each) => each === name)
  if (!algorithm || !written)
    throw new TusRefusal(
      400,
      `The header Upload-Checksum must be one of ${algorithms.join(', ')}, a space, and the digest in Base64.`,
    )
  return { algorithm, digest: Buffer.from(written, 'base64') }
}

/** The announcement of an upload: the file's name and its target. */
export interface Announced {
  readonly file_name: string
  readonly target: UploadTarget
}

/** Reads `title`, `filename`, `video_id` and `video[…]`; ignores everything else clients send. */
export function readMetadata(header: string, grant?: UploadGrant): Announced {
  const tree = nest(header.split(',').flatMap(readPair))
  const file_name = cleanFileName(textOrEmpty(tree.filename) || textOrEmpty(tree.name))
  const title = textOrEmpty(tree.title)
  const video_id = textOrEmpty(tree.video_id)
  const fields = isObject(tree.video) ? { video: tree.video } : {}
  if (video_id !== '' || grant?.video_id)
    return { file_name, target: readTarget({ video_id, ...fields }, '', grant) }
  const video = title === '' ? { ...fields.video } : { title, ...fields.video }
  return { file_name, target: readTarget({ video }, file_name, grant) }
}

const textOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '')
const utf8 = new TextDecoder('utf-8', { fatal: true })

function readPair(written: string): (readonly [string, string])[] {
  const [name, value = '', ...others] = written.trim().split(/ +/)
  if (!name && value === '') return []
  if (!name || others.length > 0 || !/^[a-z0-9+/]*={0,2}$/i.test(value)) throw badMetadata()
  try {
    return [[name, utf8.decode(Buffer.from(value, 'base64'))]]
  } catch {
    throw badMetadata()
  }
}

const badMetadata = () =>
  invalid('The header Upload-Metadata must be names with values in Base64, separated by commas.')
