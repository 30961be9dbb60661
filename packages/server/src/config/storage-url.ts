import { join } from 'node:path'

/** Where films are kept: a folder of this machine, or a bucket of an S3 store. */
export type StorageSettings = DiskSettings | S3Settings

export interface DiskSettings {
  readonly kind: 'disk'
  readonly folder: string
}

export interface S3Settings {
  readonly kind: 's3'
  /** The host of the store, with its port if it has one. */
  readonly host: string
  readonly tls: boolean
  readonly region: string
  readonly bucket: string
  /** The beginning of all our keys: empty, or words without a slash at the end. */
  readonly prefix: string
  /** Whether the bucket stands in the path of an address, and not in its host. */
  readonly isPathStyle: boolean
  /** Undefined: found in the usual places of AWS. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

export const diskIn = (dataDir: string): DiskSettings => ({ kind: 'disk', folder: join(dataDir, 'media') })

const example = 's3://KEY:SECRET@s3.example.com/bucket/prefix?region=eu-central-1'
const options = ['region', 'path_style', 'tls']
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const prefixWords = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/
/** Under these names we keep everything in a bucket. A prefix with one of them would lie inside another's films. */
const ourWords = ['objects', 'uploads']
const awsHost = /^s3[.-]([a-z0-9-]+)\.amazonaws\.com$/

/**
 * Reads the address of a bucket. The problems never contain the address, because it has a secret in it; each continues
 * the name of the setting.
 */
export function parseStorageUrl(text: string): { settings?: S3Settings; problems: string[] } {
  if (!text.startsWith('s3://')) return { problems: [`must begin with s3://, such as ${example}.`] }
  if (!URL.canParse(text))
    return {
      problems: [
        `must be such as ${example}. Write special characters of the secret in percent-encoding: / as %2F, + as %2B, @ as %40.`,
      ],
    }
  const { host, username, password, pathname, searchParams, hash } = new URL(text)
  const problems: string[] = []
  const check = (isRight: boolean, problem: string) => void (isRight || problems.push(problem))
  const choice = (name: string, fallback: boolean) => {
    const value = searchParams.get(name) ?? String(fallback)
    check(value === 'true' || value === 'false', `has a ${name} that is neither true nor false.`)
    return value === 'true'
  }
  const [bucket = '', ...words] = pathname.slice(1).replace(/\/+$/, '').split('/')
  const prefix = words.join('/')
  const key = decoded(username)
  const secret = decoded(password)
  const region = searchParams.get('region') ?? awsHost.exec(host)?.[1] ?? 'us-east-1'
  check(host !== '', `names no host: it must be such as ${example}.`)
  check(bucketName.test(bucket), `names no bucket: it must be such as ${example}.`)
  check(
    prefix === '' || prefixWords.test(prefix),
    'has a prefix with other characters than letters, digits, . _ - and /.',
  )
  check(prefix.length <= 200, 'has a prefix of more than 200 characters.')
  check(
    !words.some((word) => ourWords.includes(word)),
    `has ${ourWords.join(' or ')} in its prefix: these are names of our own in every bucket.`,
  )
  check((key === '') === (secret === ''), 'has only one of key and secret: give both, or neither.')
  check(key !== undefined && secret !== undefined, 'has a % that is no percent-encoding: write it as %25.')
  check(
    /^[a-z0-9-]{1,40}$/.test(region),
    'has a region with other characters than small letters, digits and -.',
  )
  check(hash === '', 'has a # in it: write it as %23.')
  for (const name of searchParams.keys())
    check(
      options.includes(name),
      `has an unknown option behind the question mark; known are ${options.join(', ')}.`,
    )
  const tls = choice('tls', true)
  const settings: S3Settings = {
    kind: 's3',
    host,
    tls,
    region,
    bucket,
    prefix,
    // No certificate fits a host that begins with a bucket with dots in its name.
    isPathStyle: choice('path_style', !awsHost.test(host)) || (tls && bucket.includes('.')),
    credentials: key && secret ? { accessKeyId: key, secretAccessKey: secret } : undefined,
  }
  return problems.length > 0 ? { problems } : { settings, problems }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The place in words, without the secret. */
export function storagePlace(settings: StorageSettings): string {
  if (settings.kind === 'disk') return `the folder ${settings.folder}`
  const { bucket, host, prefix } = settings
  return `the bucket ${bucket} at ${host}${prefix ? `, under ${prefix}/` : ''}`
}

/** The address of a bucket without credentials: the same on all machines. */
export const bucketAddress = ({ host, bucket, prefix }: S3Settings): string =>
  `s3://${[host, bucket, prefix].filter((part) => part !== '').join('/')}`

/** The origin of the addresses of objects in a bucket. */
export const bucketOrigin = ({ tls, host, bucket, isPathStyle }: S3Settings): string =>
  `${tls ? 'https' : 'http'}://${isPathStyle ? '' : `${bucket}.`}${host}`

/** Where an object is, as an operator would look for it: a path, or an address such as the AWS command takes. */
export const objectPlace = (settings: StorageSettings, key: string): string =>
  settings.kind === 'disk'
    ? join(settings.folder, 'objects', key)
    : `s3://${[settings.bucket, settings.prefix, 'objects', key].filter((part) => part !== '').join('/')}`
