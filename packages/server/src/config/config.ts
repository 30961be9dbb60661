import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import {
  headerProblem,
  isAddressRange,
  isHeaderName,
  isMailAddress,
  isSafeIssuer,
  isSmtpUrl,
  issuerProblem,
  mailFromProblem,
  mailHost,
  namedNetworks,
  secretKeyProblem,
  smtpUrlProblem,
} from './setting-values.js'
import { settings } from './settings.js'
import { diskIn, parseStorageUrl, type StorageSettings } from './storage-url.js'

export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly databaseReplicaUrl: string | undefined
  /** Where `database copy` copies to. */
  readonly toDatabaseUrl: string | undefined
  readonly databaseConnections: number
  readonly apiUrl: string
  readonly loginUrl: string
  readonly playerUrl: string
  readonly mediaUrl: string
  readonly ffmpegPath: string | undefined
  /** The PATH in which programs are searched. */
  readonly searchPath: string
  readonly workers: number
  readonly encoders: number
  /** Where films are kept. */
  readonly storage: StorageSettings
  /** Where films were before, besides the disk. */
  readonly oldStorage: StorageSettings | undefined
  /** Whether viewers are sent on to the store. */
  readonly delivery: 'proxied' | 'redirect'
  readonly cacheDir: string
  /** How much of `cacheDir` parts of films may use. */
  readonly cachedFilmBytes: number
  readonly maxUploadBytes: number
  readonly importNetworks: readonly string[]
  readonly webhookNetworks: readonly string[]
  /** Undefined for no limit. */
  readonly channelBytes: number | undefined
  readonly secretKey: string | undefined
  readonly accessTokenSeconds: number
  readonly refreshTokenDays: number
  readonly sessionDays: number
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  readonly oidc: OidcConfig | undefined
  readonly trustedProxies: readonly string[]
  readonly countryFile: string | undefined
  readonly countryHeader: string | undefined
  readonly eventDays: number
  readonly logLevel: string
  readonly logFormat: 'json' | 'pretty' | undefined
  readonly cacheBytes: number
}

/** An identity provider that publishers sign in with. */
export interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
  readonly rolesClaim: string
  /** Whether publishers can sign in with a password too. */
  readonly allowsPasswords: boolean
}

type Setting = keyof typeof settings
type Env = Readonly<Record<string, string | undefined>>

/** What an operator must change before the server can start, one sentence each. */
export class StartError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

const deliveries = ['proxied', 'redirect']
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** The only place that reads the environment. Reports every problem, so that all can be fixed at once. */
export function readConfig(env: Env): { config: Config; problems: string[] } {
  const problems: string[] = []
  const reader = settingsReader(env, problems)
  const { text, whole, address, oneOf, checked, networks, storage } = reader
  const port = whole('PORT', 1, 65_535)
  const host = text('HOST') ?? settings.HOST.fallback
  const apiUrl = address('API_URL', `http://${host.includes(':') ? `[${host}]` : host}:${port}`, /^https?:/)
  const loginUrl = address('LOGIN_URL', apiUrl, /^https?:/)
  const playerUrl = address('PLAYER_URL', apiUrl, /^https?:/)
  const dataDir = resolve(text('DATA_DIR') ?? settings.DATA_DIR.fallback)
  const config: Config = {
    port,
    host,
    dataDir,
    databaseUrl: databaseIn(reader, 'DATABASE_URL'),
    databaseReplicaUrl: databaseIn(reader, 'DATABASE_REPLICA_URL'),
    toDatabaseUrl: databaseIn(reader, 'TO_DATABASE_URL'),
    databaseConnections: whole('DATABASE_CONNECTIONS', 2, 500),
    apiUrl,
    loginUrl,
    playerUrl,
    mediaUrl: address('MEDIA_URL', playerUrl, /^https?:/),
    ffmpegPath: text('FFMPEG_PATH'),
    searchPath: env.PATH ?? '',
    workers: whole('WORKERS', 0, 64),
    encoders: text('ENCODERS') === undefined ? availableParallelism() : whole('ENCODERS', 1, 256),
    storage: storage('STORAGE_URL') ?? diskIn(dataDir),
    oldStorage: storage('STORAGE_OLD_URL'),
    delivery: (oneOf('DELIVERY', deliveries) ?? 'proxied') as Config['delivery'],
    cacheDir: absolute(text('CACHE_DIR')) ?? join(dataDir, 'cache'),
    cachedFilmBytes: whole('CACHE_GB', 1, 1_000_000) * 1_000_000_000,
    maxUploadBytes: whole('UPLOAD_GB', 1, 10_000) * 1_000_000_000,
    importNetworks: networks('IMPORT_NETWORKS'),
    webhookNetworks: networks('WEBHOOK_NETWORKS'),
    channelBytes: text('CHANNEL_GB') ? whole('CHANNEL_GB', 1, 1_000_000) * 1_000_000_000 : undefined,
    secretKey: checked('SECRET_KEY', (value) => value.length >= 32, secretKeyProblem),
    accessTokenSeconds: whole('ACCESS_TOKEN_SECONDS', 60, 31_536_000),
    refreshTokenDays: whole('REFRESH_TOKEN_DAYS', 1, 3650),
    sessionDays: whole('SESSION_DAYS', 1, 3650),
    eventDays: whole('EVENT_DAYS', 1, 3650),
    smtpUrl: checked('SMTP_URL', isSmtpUrl, smtpUrlProblem),
    mailFrom: checked('MAIL_FROM', isMailAddress, mailFromProblem) ?? `no-reply@${mailHost(loginUrl)}`,
    oidc: readOidc(reader, problems),
    trustedProxies: networks('TRUSTED_PROXIES'),
    countryFile: absolute(text('COUNTRY_FILE')),
    countryHeader: checked('COUNTRY_HEADER', isHeaderName, headerProblem),
    logLevel: oneOf('LOG_LEVEL', logLevels) ?? settings.LOG_LEVEL.fallback,
    logFormat: oneOf('LOG_FORMAT', ['json', 'pretty']) as Config['logFormat'],
    cacheBytes: whole('CACHE_MB', 0, 4096) * 1_048_576,
  }
  problems.push(...contradictions(config))
  return { config, problems }
}

const databaseIn = ({ address }: SettingsReader, name: Setting): string | undefined =>
  address(name, '', /^postgres(ql)?:/) || undefined

/** Settings that are right by themselves, but not together. */
function contradictions(config: Config): string[] {
  const { countryHeader, trustedProxies, storage, maxUploadBytes, playerUrl, mediaUrl } = config
  const problems: string[] = []
  if (config.databaseReplicaUrl && !config.databaseUrl)
    problems.push('DATABASE_REPLICA_URL needs DATABASE_URL: the PostgreSQL in DATA_DIR has no replica.')
  if (/[?#]/.test(mediaUrl))
    problems.push('MEDIA_URL must end before ? and #: paths are added to it, as in https://cdn.example.com.')
  if (playerUrl.startsWith('https:') && mediaUrl.startsWith('http:'))
    problems.push(
      'MEDIA_URL must begin with https, as PLAYER_URL does: browsers load nothing over http into pages of https.',
    )
  if (countryHeader && trustedProxies.length === 0)
    problems.push('COUNTRY_HEADER needs TRUSTED_PROXIES: without them anybody could send it.')
  if (config.delivery === 'redirect' && storage.kind === 'disk')
    problems.push(
      'DELIVERY=redirect needs STORAGE_URL: viewers can be sent on to a bucket, but not to the disk of the server.',
    )
  if (storage.kind === 's3' && maxUploadBytes > largestInS3)
    problems.push(
      'UPLOAD_GB may be at most 80 with STORAGE_URL: a file in an S3 store has at most 10,000 parts.',
    )
  return problems
}

/** What fits into 10,000 parts of 8 MiB. */
const largestInS3 = 80_000_000_000

const absolute = (path: string | undefined) => (path === undefined ? undefined : resolve(path))

type SettingsReader = ReturnType<typeof settingsReader>

function readOidc({ text, oneOf, checked }: SettingsReader, problems: string[]): OidcConfig | undefined {
  const only = oneOf('OIDC_ONLY', ['true', 'false'])
  const issuer = checked('OIDC_ISSUER', isSafeIssuer, issuerProblem)
  const clientId = text('OIDC_CLIENT_ID')
  const clientSecret = text('OIDC_CLIENT_SECRET')
  if (!issuer && !clientId && !clientSecret && only !== 'true') return undefined
  if (!issuer || !clientId || !clientSecret) {
    problems.push('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: set all three.')
    return undefined
  }
  return {
    issuer,
    clientId,
    clientSecret,
    name: text('OIDC_NAME') ?? (URL.canParse(issuer) ? new URL(issuer).host : issuer),
    rolesClaim: text('OIDC_ROLES_CLAIM') ?? settings.OIDC_ROLES_CLAIM.fallback,
    allowsPasswords: only !== 'true',
  }
}

/** Reads settings one by one, and collects their problems. */
function settingsReader(env: Env, problems: string[]) {
  const text = (name: Setting) => env[name]?.trim() || undefined
  return {
    text,
    whole(name: Setting, min: number, max: number) {
      const value = Number(text(name) ?? settings[name].fallback)
      if (!Number.isInteger(value) || value < min || value > max)
        problems.push(`${name} must be a whole number from ${min} to ${max}, not "${text(name)}".`)
      return value
    },
    address(name: Setting, fallback: string, protocols: RegExp) {
      const value = text(name)
      if (value === undefined) return fallback
      if (!URL.canParse(value) || !protocols.test(value))
        problems.push(
          `${name} must be a full address such as ${fallback || 'postgres://user:password@host/database'}.`,
        )
      return value.replace(/\/+$/, '')
    },
    oneOf(name: Setting, options: readonly string[]) {
      const value = text(name)
      if (value !== undefined && !options.includes(value))
        problems.push(`${name} must be one of ${options.join(', ')}, not "${value}".`)
      return value
    },
    networks(name: Setting) {
      const value = text(name) ?? ''
      const given = value === settings[name].fallback ? [] : value.split(',').map((each) => each.trim())
      const networks = given.filter((each) => each !== '')
      for (const network of networks)
        if (!namedNetworks.includes(network) && !isAddressRange(network))
          problems.push(
            `${name} must name addresses such as 10.0.0.1, ranges such as 10.0.0.0/8, or ${namedNetworks.join(', ')}; "${network}" is none of them.`,
          )
      return networks
    },
    storage(name: Setting): StorageSettings | undefined {
      const value = text(name)
      if (value === undefined) return undefined
      const parsed = parseStorageUrl(value)
      problems.push(...parsed.problems.map((problem) => `${name} ${problem}`))
      return parsed.settings
    },
    /** The problem is a fixed text, because the value may be a secret. */
    checked(name: Setting, isRight: (value: string) => boolean, problem: string) {
      const value = text(name)
      if (value !== undefined && !isRight(value)) problems.push(`${name} ${problem}`)
      return value
    },
  }
}
