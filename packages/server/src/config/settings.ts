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
  DATABASE_REPLICA_URL: {
    about: 'A streaming replica of that PostgreSQL server, from which lists are read while it is up to date.',
    fallback: 'none',
  },
  TO_DATABASE_URL: {
    about: 'The empty database that `zoetrope database copy` copies to. Servers do not use it.',
    fallback: 'none',
  },
  DATABASE_CONNECTIONS: { about: 'Maximum number of connections to the database.', fallback: '10' },
  API_URL: { about: 'Public address of the API.', fallback: 'http://HOST:PORT' },
  LOGIN_URL: { about: 'Public address of the token endpoints.', fallback: 'API_URL' },
  PLAYER_URL: { about: 'Public address of the player.', fallback: 'API_URL' },
  MEDIA_URL: {
    about: 'Public address of segments and pictures: that of a CDN which fetches them from PLAYER_URL.',
    fallback: 'PLAYER_URL',
  },
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
  STORAGE_URL: {
    about:
      'A bucket of an S3 store in which films are kept: s3://KEY:SECRET@host/bucket/prefix?region=…&path_style=true&tls=true.',
    fallback: 'the folder DATA_DIR/media',
  },
  STORAGE_OLD_URL: {
    about: 'The bucket that films were in before, until `zoetrope storage move` has moved them all.',
    fallback: 'the folder DATA_DIR/media if STORAGE_URL is set, else none',
  },
  DELIVERY: {
    about:
      'proxied: the server sends films itself; redirect: it sends viewers on to the bucket of STORAGE_URL, if that has the piece.',
    fallback: 'proxied',
  },
  CACHE_DIR: {
    about:
      'Folder for parts and hot segments of films that are in an S3 store, and for unfinished files. Deleting it costs time, and nothing else.',
    fallback: 'DATA_DIR/cache',
  },
  CACHE_GB: {
    about: 'How much of CACHE_DIR parts and hot segments of films may use, in gigabytes.',
    fallback: '10',
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
