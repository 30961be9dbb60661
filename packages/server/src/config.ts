import { resolve } from 'node:path'

/** Every setting: its name, what it does, and its default in words. `--help` and the documentation print this table. */
export const settings = {
  PORT: { about: 'Port to listen on.', fallback: '8080' },
  HOST: { about: 'Address to listen on.', fallback: '127.0.0.1' },
  DATA_DIR: { about: 'Folder for everything that is kept.', fallback: './data' },
  DATABASE_URL: {
    about: 'A PostgreSQL server (15 or newer) to use: postgres://user:password@host/database.',
    fallback: 'its own PostgreSQL in DATA_DIR',
  },
  DATABASE_CONNECTIONS: { about: 'Connections to the database at most.', fallback: '10' },
  API_URL: { about: 'Public address of the API.', fallback: 'http://HOST:PORT' },
  LOGIN_URL: { about: 'Public address of the token endpoints.', fallback: 'API_URL' },
  PLAYER_URL: { about: 'Public address of the player.', fallback: 'API_URL' },
  SECRET_KEY: {
    about:
      'At least 32 characters from which keys for stored secrets are made. Losing it makes them unreadable.',
    fallback: 'made once, in DATA_DIR/secret-key',
  },
  LOG_LEVEL: { about: 'trace, debug, info, warn, error, fatal or silent.', fallback: 'info' },
  LOG_FORMAT: { about: 'json, or pretty for people.', fallback: 'pretty on a terminal, else json' },
  CACHE_MB: { about: 'Memory for answers kept ready, in megabytes.', fallback: '16' },
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
  readonly secretKey: string | undefined
  readonly logLevel: string
  readonly logFormat: 'json' | 'pretty' | undefined
  readonly cacheBytes: number
}

type Env = Readonly<Record<string, string | undefined>>

/** What an operator must change before the server can start, a sentence each. */
export class StartError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** The one place that reads the environment. Every problem is reported, so that they can be mended at once. */
export function readConfig(env: Env): { config: Config; problems: string[] } {
  const problems: string[] = []
  const text = (name: keyof typeof settings) => env[name]?.trim() || undefined
  const whole = (name: keyof typeof settings, min: number, max: number) => {
    const value = Number(text(name) ?? settings[name].fallback)
    if (!Number.isInteger(value) || value < min || value > max)
      problems.push(`${name} must be a whole number from ${min} to ${max}, not "${text(name)}".`)
    return value
  }
  const address = (name: keyof typeof settings, fallback: string, protocols: RegExp) => {
    const value = text(name)
    if (value === undefined) return fallback
    if (!URL.canParse(value) || !protocols.test(value))
      problems.push(
        `${name} must be a full address such as ${fallback || 'postgres://user:password@host/database'}.`,
      )
    return value.replace(/\/+$/, '')
  }
  const oneOf = (name: keyof typeof settings, options: readonly string[]) => {
    const value = text(name)
    if (value !== undefined && !options.includes(value))
      problems.push(`${name} must be one of ${options.join(', ')}, not "${value}".`)
    return value
  }

  const port = whole('PORT', 1, 65_535)
  const host = text('HOST') ?? settings.HOST.fallback
  const apiUrl = address('API_URL', `http://${host.includes(':') ? `[${host}]` : host}:${port}`, /^https?:/)
  const secretKey = text('SECRET_KEY')
  if (secretKey !== undefined && secretKey.length < 32)
    problems.push('SECRET_KEY must be at least 32 characters long. `openssl rand -hex 32` makes one.')
  const config: Config = {
    port,
    host,
    dataDir: resolve(text('DATA_DIR') ?? settings.DATA_DIR.fallback),
    databaseUrl: address('DATABASE_URL', '', /^postgres(ql)?:/) || undefined,
    databaseConnections: whole('DATABASE_CONNECTIONS', 2, 500),
    apiUrl,
    loginUrl: address('LOGIN_URL', apiUrl, /^https?:/),
    playerUrl: address('PLAYER_URL', apiUrl, /^https?:/),
    secretKey,
    logLevel: oneOf('LOG_LEVEL', logLevels) ?? settings.LOG_LEVEL.fallback,
    logFormat: oneOf('LOG_FORMAT', ['json', 'pretty']) as Config['logFormat'],
    cacheBytes: whole('CACHE_MB', 0, 4096) * 1_048_576,
  }
  return { config, problems }
}
