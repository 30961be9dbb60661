import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
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

/**
 * Every setting: its name, its purpose, and its default in words. `--help` and the documentation print this
 * table.
 */
export const settings = {
  PORT: { about: 'Port to listen on.', fallback: '8080' },
  HOST: { about: 'Address to listen on.', fallback: '127.0.0.1' },
  DATA_DIR: { about: 'Folder for all data: the database, films, keys and logs.', fallback: './data' },
  DATABASE_URL: {
    about: 'A PostgreSQL server (15 or newer) to use: postgres://user:password@host/database.',
    fallback: 'its own PostgreSQL in DATA_DIR',
  },
  DATABASE_CONNECTIONS: { about: 'Maximum number of connections to the database.', fallback: '10' },
  API_URL: { about: 'Public address of the API.', fallback: 'http://HOST:PORT' },
  LOGIN_URL: { about: 'Public address of the token endpoints.', fallback: 'API_URL' },
  PLAYER_URL: { about: 'Public address of the player.', fallback: 'API_URL' },
  FFMPEG_PATH: {
    about: 'The program ffmpeg (5.1 or newer), with ffprobe beside it.',
    fallback: 'the one on PATH, else the one that npm installed',
  },
  WORKERS: {
    about: 'Worker processes that `zoetrope start` runs beside the API: they run jobs and make video.',
    fallback: '1',
  },
  ENCODERS: {
    about: 'Number of ffmpeg processes that each worker runs at once.',
    fallback: 'the number of cores',
  },
  UPLOAD_GB: { about: 'Largest file that may be uploaded, in gigabytes.', fallback: '50' },
  IMPORT_NETWORKS: {
    about:
      'Private addresses or ranges that films may be imported from, separated by commas; also loopback, linklocal, uniquelocal.',
    fallback: 'none',
  },
  WEBHOOK_NETWORKS: {
    about:
      'Private addresses or ranges that receivers of webhooks may be in, separated by commas; also loopback, linklocal, uniquelocal.',
    fallback: 'none',
  },
  CHANNEL_GB: {
    about: 'Storage for the uploaded files of a channel, in gigabytes, unless the channel has its own limit.',
    fallback: 'no limit',
  },
  SECRET_KEY: {
    about:
      'At least 32 characters from which the keys for stored secrets are derived. Without it they cannot be read.',
    fallback: 'made once, in DATA_DIR/secret-key',
  },
  ACCESS_TOKEN_SECONDS: { about: 'Lifetime of an access token, in seconds.', fallback: '604800' },
  REFRESH_TOKEN_DAYS: {
    about: 'Days without use after which a viewer has to sign in again.',
    fallback: '90',
  },
  SESSION_DAYS: { about: 'Days after which a viewer has to sign in again in any case.', fallback: '365' },
  SMTP_URL: {
    about: 'A mail server: smtp://user:password@host:port, or smtps:// for TLS from the start.',
    fallback: 'mail is written to DATA_DIR/outbox',
  },
  MAIL_FROM: { about: 'The address that mails are sent from.', fallback: 'no-reply@ the host of LOGIN_URL' },
  OIDC_ISSUER: {
    about: 'An identity provider (OpenID Connect) that publishers sign in with: its issuer address.',
    fallback: 'none',
  },
  OIDC_CLIENT_ID: {
    about: 'The client id that the identity provider knows this server by.',
    fallback: 'none',
  },
  OIDC_CLIENT_SECRET: { about: 'The secret of that client.', fallback: 'none' },
  OIDC_NAME: { about: 'What the sign-in page calls the identity provider.', fallback: 'its host' },
  OIDC_ROLES_CLAIM: {
    about:
      'The claim with the roles of a publisher: owner, editor or viewer for every channel, or such as <channel id>:editor for one.',
    fallback: 'zoetrope_roles',
  },
  OIDC_ONLY: {
    about: 'true: publishers sign in with the identity provider only, not with a password.',
    fallback: 'false',
  },
  TRUSTED_PROXIES: {
    about:
      'Addresses or ranges of proxies whose X-Forwarded-For is trusted, separated by commas; also loopback, linklocal, uniquelocal.',
    fallback: 'none',
  },
  COUNTRY_FILE: {
    about:
      'A file in the MaxMind DB format (.mmdb) that maps network addresses to countries, for content rules.',
    fallback: 'none',
  },
  COUNTRY_HEADER: {
    about:
      'The header in which your proxy sends the country of a viewer, such as CF-IPCountry; trusted from TRUSTED_PROXIES only.',
    fallback: 'none',
  },
  EVENT_DAYS: {
    about: 'Days for which events are kept, and for which changes can be undone.',
    fallback: '30',
  },
  LOG_LEVEL: { about: 'trace, debug, info, warn, error, fatal or silent.', fallback: 'info' },
  LOG_FORMAT: { about: 'json, or pretty for people.', fallback: 'pretty on a terminal, else json' },
  CACHE_MB: { about: 'Memory for cached answers, in megabytes.', fallback: '16' },
} as const

export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly databaseConnections: number
  readonly apiUrl: string
  readonly loginUrl: string
  readonly playerUrl: string
  readonly ffmpegPath: string | undefined
  /** The PATH in which programs are searched. */
  readonly searchPath: string
  readonly workers: number
  readonly encoders: number
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

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** The only place that reads the environment. Reports every problem, so that all can be fixed at once. */
export function readConfig(env: Env): { config: Config; problems: string[] } {
  const problems: string[] = []
  const reader = settingsReader(env, problems)
  const { text, whole, address, oneOf, checked, networks } = reader
  const port = whole('PORT', 1, 65_535)
  const host = text('HOST') ?? settings.HOST.fallback
  const apiUrl = address('API_URL', `http://${host.includes(':') ? `[${host}]` : host}:${port}`, /^https?:/)
  const loginUrl = address('LOGIN_URL', apiUrl, /^https?:/)
  const config: Config = {
    port,
    host,
    dataDir: resolve(text('DATA_DIR') ?? settings.DATA_DIR.fallback),
    databaseUrl: address('DATABASE_URL', '', /^postgres(ql)?:/) || undefined,
    databaseConnections: whole('DATABASE_CONNECTIONS', 2, 500),
    apiUrl,
    loginUrl,
    playerUrl: address('PLAYER_URL', apiUrl, /^https?:/),
    ffmpegPath: text('FFMPEG_PATH'),
    searchPath: env.PATH ?? '',
    workers: whole('WORKERS', 0, 64),
    encoders: text('ENCODERS') === undefined ? availableParallelism() : whole('ENCODERS', 1, 256),
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
  if (config.countryHeader && config.trustedProxies.length === 0)
    problems.push('COUNTRY_HEADER needs TRUSTED_PROXIES: without them anybody could send it.')
  return { config, problems }
}

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
    /** The problem is a fixed text, because the value may be a secret. */
    checked(name: Setting, isRight: (value: string) => boolean, problem: string) {
      const value = text(name)
      if (value !== undefined && !isRight(value)) problems.push(`${name} ${problem}`)
      return value
    },
  }
}
