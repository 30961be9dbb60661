import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.js'
import { settings } from './settings.js'

test('an empty environment is enough', () => {
  const { config, problems } = readConfig({})
  assert.deepEqual(problems, [])
  assert.deepEqual(
    [
      config.port,
      config.host,
      config.apiUrl,
      config.loginUrl,
      config.playerUrl,
      config.databaseUrl,
      config.secretKey,
    ],
    [
      8080,
      '127.0.0.1',
      'http://127.0.0.1:8080',
      'http://127.0.0.1:8080',
      'http://127.0.0.1:8080',
      undefined,
      undefined,
    ],
  )
})

test('settings are trimmed and used, and dependent settings follow', () => {
  const { config, problems } = readConfig({
    PORT: ' 9000 ',
    HOST: '::1',
    PLAYER_URL: 'https://play.example.com//',
    LOG_LEVEL: '',
  })
  assert.deepEqual(problems, [])
  assert.equal(config.apiUrl, 'http://[::1]:9000')
  assert.equal(config.loginUrl, config.apiUrl)
  assert.equal(config.playerUrl, 'https://play.example.com')
  assert.equal(config.logLevel, 'info')
})

test('by default viewers stay signed in, mail goes to files and no proxy is trusted', () => {
  const { config } = readConfig({})
  assert.deepEqual(
    [config.accessTokenSeconds, config.refreshTokenDays, config.sessionDays],
    [604_800, 90, 365],
  )
  assert.equal(config.smtpUrl, undefined)
  assert.equal(config.mailFrom, 'no-reply@localhost')
  assert.deepEqual(config.trustedProxies, [])
  assert.deepEqual(readConfig({ TRUSTED_PROXIES: 'none' }).config.trustedProxies, [])
})

test('mails come from the host where viewers sign in, unless an address is set', () => {
  const from = (env: Record<string, string>) => readConfig(env).config.mailFrom
  assert.equal(from({ LOGIN_URL: 'https://login.example.org:8443/x' }), 'no-reply@login.example.org')
  assert.equal(from({ API_URL: 'https://api.example.org' }), 'no-reply@api.example.org')
  assert.equal(from({ LOGIN_URL: 'http://[::1]:8080' }), 'no-reply@localhost')
  assert.equal(from({ LOGIN_URL: 'nonsense' }), 'no-reply@localhost')
  assert.equal(from({ MAIL_FROM: 'hello+tv@example.org' }), 'hello+tv@example.org')
})

test('a mail server may have a user, and a percent-encoded password', () => {
  const right = [
    'smtp://localhost',
    'smtp://127.0.0.1:2525/',
    'smtps://[::1]:465',
    'smtps://user%40example.org:p%40ss%2F@mail.example.org',
  ]
  for (const SMTP_URL of right) {
    const { config, problems } = readConfig({ SMTP_URL })
    assert.deepEqual(problems, [], SMTP_URL)
    assert.equal(config.smtpUrl, SMTP_URL)
  }
  const wrong = [
    'mail.example.org',
    'http://mail.example.org',
    'smtp:mail.example.org',
    'smtp://',
    'smtp://user@mail.example.org',
    'smtp://user:hunter2%@mail.example.org',
    'smtp://user:hun/ter2@mail.example.org',
    'smtp://user:hunter2@mail.example.org/?tls=no',
  ]
  for (const SMTP_URL of wrong) {
    const { problems } = readConfig({ SMTP_URL })
    assert.equal(problems.length, 1, SMTP_URL)
    assert.ok(!problems[0]?.includes('hun'), problems[0])
  }
})

test('the sender of mails must be one plain address', () => {
  for (const MAIL_FROM of [
    'example.org',
    'A <a@example.org>',
    'a@b, c@d',
    'a@',
    '@b',
    'a@b@c',
    'a@-b',
    'a\nb@c',
  ])
    assert.equal(readConfig({ MAIL_FROM }).problems.length, 1, MAIL_FROM)
})

test('trusted proxies are addresses, ranges or names, and each invalid one is named', () => {
  const right = 'loopback, 10.0.0.1,192.168.0.0/16, 2001:db8::/32 ,fd00::1,uniquelocal,,linklocal'
  const { config, problems } = readConfig({ TRUSTED_PROXIES: right })
  assert.deepEqual(problems, [])
  assert.deepEqual(config.trustedProxies, [
    'loopback',
    '10.0.0.1',
    '192.168.0.0/16',
    '2001:db8::/32',
    'fd00::1',
    'uniquelocal',
    'linklocal',
  ])
  const wrong = [
    'true',
    '1',
    '*',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '::/129',
    '10.0.0.0/',
    '10.0.0',
    'fe80::1%lo',
    'proxy',
  ]
  const { problems: found } = readConfig({ TRUSTED_PROXIES: wrong.join() })
  assert.equal(found.length, wrong.length)
  for (const [index, proxy] of wrong.entries()) assert.ok(found[index]?.includes(`"${proxy}"`), proxy)
})

test('every problem is named, and only problems are', () => {
  const wrong = {
    PORT: '0',
    DATABASE_CONNECTIONS: '1',
    CACHE_MB: '1.5',
    API_URL: 'ftp://x',
    DATABASE_URL: 'localhost',
    SECRET_KEY: 'short',
    ACCESS_TOKEN_SECONDS: '59',
    REFRESH_TOKEN_DAYS: '0',
    SESSION_DAYS: '3651',
    SMTP_URL: 'mail.example.org',
    MAIL_FROM: 'nobody',
    TRUSTED_PROXIES: 'all',
    LOG_LEVEL: 'loud',
    LOG_FORMAT: 'yaml',
  }
  const { problems } = readConfig(wrong)
  assert.deepEqual(problems.map((problem) => problem.split(' ')[0]).sort(), Object.keys(wrong).sort())
  for (const problem of problems) assert.match(problem, /\.$|makes one\.$/)
})

test('a problem never repeats a secret', () => {
  const { problems } = readConfig({ SECRET_KEY: 'hunter2', DATABASE_URL: 'mysql://user:hunter2@host/x' })
  assert.equal(problems.length, 2)
  for (const problem of problems) assert.ok(!problem.includes('hunter2'))
})

test('a replica needs the address of its primary', () => {
  const DATABASE_REPLICA_URL = 'postgres://reader@replica/zoetrope'
  assert.deepEqual(readConfig({ DATABASE_REPLICA_URL }).problems, [
    'DATABASE_REPLICA_URL needs DATABASE_URL: the PostgreSQL in DATA_DIR has no replica.',
  ])
  const { config, problems } = readConfig({ DATABASE_REPLICA_URL, DATABASE_URL: 'postgres://z@primary/z' })
  assert.deepEqual([config.databaseReplicaUrl, problems], [DATABASE_REPLICA_URL, []])
})

test('every setting has a description in one sentence', () => {
  for (const { about } of Object.values(settings)) assert.match(about, /^\S.*\.$/)
})

test('the viewer’s country comes only from a file or from a header of trusted proxies', () => {
  assert.deepEqual(
    [readConfig({}).config.countryFile, readConfig({}).config.countryHeader],
    [undefined, undefined],
  )
  const { config, problems } = readConfig({
    COUNTRY_FILE: '/var/lib/country.mmdb',
    COUNTRY_HEADER: 'CF-IPCountry',
    TRUSTED_PROXIES: 'loopback',
  })
  assert.deepEqual(problems, [])
  assert.deepEqual([config.countryFile, config.countryHeader], ['/var/lib/country.mmdb', 'CF-IPCountry'])
  assert.deepEqual(readConfig({ COUNTRY_HEADER: 'CF-IPCountry' }).problems, [
    'COUNTRY_HEADER needs TRUSTED_PROXIES: without them anybody could send it.',
  ])
  assert.match(
    readConfig({ COUNTRY_HEADER: 'a header', TRUSTED_PROXIES: 'loopback' }).problems[0] ?? '',
    /^COUNTRY_HEADER must be the name of a header/,
  )
})

test('an identity provider needs its three settings, and TLS unless it is on this machine', () => {
  const whole = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
  const { config, problems } = readConfig({ ...whole, OIDC_ONLY: 'true' })
  assert.deepEqual(problems, [])
  assert.deepEqual(config.oidc, {
    issuer: 'https://id.example.com',
    clientId: 'a',
    clientSecret: 'b',
    name: 'id.example.com',
    rolesClaim: 'zoetrope_roles',
    allowsPasswords: false,
  })
  assert.deepEqual(readConfig({ ...whole, OIDC_ISSUER: 'http://localhost:9000' }).problems, [])
  for (const issuer of ['http://id.example.com', 'http://localhost.example.com', 'ftp://localhost', 'id'])
    assert.match(
      readConfig({ ...whole, OIDC_ISSUER: issuer }).problems.join(),
      /OIDC_ISSUER must be an https/,
    )
  for (const missing of Object.keys(whole))
    assert.match(readConfig({ ...whole, [missing]: '' }).problems.join(), /set all three/)
  assert.match(readConfig({ OIDC_ONLY: 'true' }).problems.join(), /set all three/)
})

test('films are in DATA_DIR unless STORAGE_URL names a bucket', () => {
  const disk = readConfig({ DATA_DIR: '/data' }).config
  assert.deepEqual(disk.storage, { kind: 'disk', folder: '/data/media' })
  assert.deepEqual([disk.cacheDir, disk.cachedFilmBytes], ['/data/cache', 10e9])
  const { config, problems } = readConfig({
    STORAGE_URL: 's3://KEY:a%2Fb@s3.example.com:9000/films/one/two/?region=eu-1&tls=false',
    CACHE_DIR: '/cache',
    CACHE_GB: '2',
  })
  assert.deepEqual(problems, [])
  assert.deepEqual(config.storage, {
    kind: 's3',
    host: 's3.example.com:9000',
    tls: false,
    region: 'eu-1',
    bucket: 'films',
    prefix: 'one/two',
    isPathStyle: true,
    credentials: { accessKeyId: 'KEY', secretAccessKey: 'a/b' },
  })
  assert.deepEqual([config.cacheDir, config.cachedFilmBytes], ['/cache', 2e9])
  const aws = readConfig({ STORAGE_URL: 's3://s3.eu-central-1.amazonaws.com/films' }).config.storage
  assert.deepEqual(aws, {
    ...{ kind: 's3', host: 's3.eu-central-1.amazonaws.com', tls: true, region: 'eu-central-1' },
    ...{ bucket: 'films', prefix: '', isPathStyle: false, credentials: undefined },
  })
  const dotted = readConfig({ STORAGE_URL: 's3://s3.eu-central-1.amazonaws.com/our.films' }).config.storage
  assert.ok(dotted.kind === 's3' && dotted.isPathStyle)
})

test('every mistake in STORAGE_URL is named, and its secret is not', () => {
  for (const [address, words] of [
    ['https://KEY:hunter2@host/films', /begin with s3:/],
    ['s3://KEY:hun/ter2@host/films', /percent-encoding/],
    ['s3://KEY:hunter2@host', /names no bucket/],
    ['s3:///films', /names no host/],
    ['s3://KEY:hunter2@host/FILMS', /names no bucket/],
    ['s3://KEY:hunter2@host/films/a/../b%20', /prefix/],
    ['s3://KEY:hunter2@host/films/objects', /names of our own/],
    ['s3://KEY@host/films', /give both, or neither/],
    ['s3://KEY:hunter2%zz@host/films', /percent-encoding/],
    ['s3://KEY:hunter2@host/films?tls=no', /tls that is neither true nor false/],
    ['s3://KEY:hunter2@host/films?path-style=true', /unknown option.*path_style/],
    ['s3://KEY:hunter2@host/films?region=Europe!', /region/],
    ['s3://KEY:hunter2@host/films#x', /%23/],
  ] as const) {
    const { problems } = readConfig({ STORAGE_URL: address })
    assert.equal(problems.length, 1, address)
    assert.match(problems[0] ?? '', /^STORAGE_URL .*\.$/)
    assert.match(problems[0] ?? '', words)
    assert.doesNotMatch(problems[0] ?? '', /hunter2|hun\/ter2/)
  }
  const large = { STORAGE_URL: 's3://host/films', UPLOAD_GB: '81' }
  assert.match(readConfig(large).problems.join(), /^UPLOAD_GB may be at most 80/)
})

test('MEDIA_URL is PLAYER_URL by default, and must suit it', () => {
  const problemsOf = (env: Record<string, string>) => readConfig(env).problems
  assert.equal(
    readConfig({ PLAYER_URL: 'https://play.example.com' }).config.mediaUrl,
    'https://play.example.com',
  )
  const cdn = { PLAYER_URL: 'https://play.example.com', MEDIA_URL: 'https://cdn.example.com/films/' }
  assert.deepEqual(problemsOf(cdn), [])
  assert.equal(readConfig(cdn).config.mediaUrl, 'https://cdn.example.com/films')
  assert.deepEqual(problemsOf({ ...cdn, MEDIA_URL: 'cdn.example.com' }), [
    'MEDIA_URL must be a full address such as https://play.example.com.',
  ])
  assert.deepEqual(problemsOf({ ...cdn, MEDIA_URL: 'http://cdn.example.com' }), [
    'MEDIA_URL must begin with https, as PLAYER_URL does: browsers load nothing over http into pages of https.',
  ])
  assert.deepEqual(problemsOf({ ...cdn, MEDIA_URL: 'https://cdn.example.com/?zone=1' }), [
    'MEDIA_URL must end before ? and #: paths are added to it, as in https://cdn.example.com.',
  ])
})

test('viewers can be sent on to a bucket only', () => {
  const bucket = { STORAGE_URL: 's3://KEY:secret@s3.example.com/films' }
  assert.equal(readConfig({}).config.delivery, 'proxied')
  assert.deepEqual(readConfig({ ...bucket, DELIVERY: 'redirect' }).problems, [])
  assert.equal(readConfig({ ...bucket, DELIVERY: 'redirect' }).config.delivery, 'redirect')
  assert.deepEqual(readConfig({ DELIVERY: 'redirect' }).problems, [
    'DELIVERY=redirect needs STORAGE_URL: viewers can be sent on to a bucket, but not to the disk of the server.',
  ])
  assert.deepEqual(readConfig({ DELIVERY: 'cdn' }).problems, [
    'DELIVERY must be one of proxied, redirect, not "cdn".',
  ])
})
