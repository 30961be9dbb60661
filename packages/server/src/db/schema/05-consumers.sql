-- Viewers with an account, their devices, sessions, favourites and ratings. Tokens, codes and PINs are stored as
-- digests; the key behind the digests is not in the database.

create table consumers (
  _id                    text collate "C" not null,
  site_id                text collate "C" not null references channels on delete cascade,
  email                  text collate "C" not null,
  password_hash          text,
  name                   text,
  birthday               text,
  sex                    text,
  terms                  boolean not null default false,
  updates                boolean not null default false,
  parental_access_code   text,
  parental_access_rating text,
  super_watcher          boolean not null default false,
  stripe_id              text,
  braintree_id           text,
  recurly_code           text,
  custom                 jsonb not null default '{}',
  email_verified_at      timestamptz(3),
  sign_in_count          integer not null default 0,
  current_sign_in_at     timestamptz(3),
  current_sign_in_ip     text,
  last_sign_in_at        timestamptz(3),
  last_sign_in_ip        text,
  -- words_in(), spelled out: a call would cost every sign-in some microseconds. The collation of email knows only ASCII letters.
  search                 tsvector generated always as (
                           to_tsvector('simple'::regconfig, regexp_replace(
                             (coalesce(name, '') || ' ' || email) collate "default", '[^[:alnum:]]+', ' ', 'g'
                           ))
                         ) stored,
  created_at             timestamptz(3) not null default now(),
  updated_at             timestamptz(3) not null default now(),
  -- The record as the API sends it, maintained by a trigger.
  record                 text not null default '',
  -- A publisher may reset passwords with tokens of its own. This is the digest of such a token.
  password_token_digest  bytea,
  -- Counts of entitlements and payments. Triggers maintain them, so that lists can filter by them.
  video_count            integer not null default 0,
  playlist_count         integer not null default 0,
  pass_count             integer not null default 0,
  transaction_count      integer not null default 0,
  payment_providers      text[] not null default '{}',
  primary key (site_id, _id),
  constraint consumers_email_taken unique (site_id, email)
);

create index consumers_by_creation on consumers (site_id, created_at, _id);
create index consumers_by_words on consumers using gin (site_id, search);
create index consumers_by_attribute on consumers using gin (site_id, custom jsonb_path_ops);
-- Lists compare whole numbers with any number.
create index consumers_by_videos on consumers (site_id, (video_count::double precision));
create index consumers_by_playlists on consumers (site_id, (playlist_count::double precision));
create index consumers_by_passes on consumers (site_id, (pass_count::double precision));
create index consumers_by_transactions on consumers (site_id, (transaction_count::double precision));
create index consumers_by_provider on consumers using gin (site_id, payment_providers)
  where payment_providers <> '{}';

-- Tokens for feeds and apps of the publisher. A token is made when an admin key first reads the consumer, so that a
-- channel with a million consumers needs no migration.
create table consumer_tokens (
  site_id     text collate "C" not null,
  consumer_id text collate "C" not null,
  kind        text not null check (kind in ('rss_token', 'remember_token')),
  digest      bytea not null,
  sealed      bytea not null,
  created_at  timestamptz(3) not null default now(),
  primary key (site_id, consumer_id, kind),
  foreign key (site_id, consumer_id) references consumers on delete cascade
);

create unique index consumer_tokens_by_digest on consumer_tokens (site_id, kind, digest);

-- Digests of addresses from which a consumer has signed in. An attack on the account cannot lock them out there.
create table known_addresses (
  site_id     text collate "C" not null,
  consumer_id text collate "C" not null,
  digest      bytea not null,
  seen_at     timestamptz(3) not null default now(),
  primary key (site_id, consumer_id, digest),
  foreign key (site_id, consumer_id) references consumers on delete cascade
);

-- Tokens in mails to consumers. Each works once.
create table mail_tokens (
  digest      bytea primary key,
  site_id     text collate "C" not null,
  consumer_id text collate "C" not null,
  purpose     text not null check (purpose in ('reset_password', 'verify_email')),
  email       text not null,
  expires_at  timestamptz(3) not null,
  foreign key (site_id, consumer_id) references consumers on delete cascade
);

create index mail_tokens_of_consumer on mail_tokens (site_id, consumer_id);

-- A TV or box, known by the id that it gave itself in one app. While it waits to be linked it has a PIN, which is
-- derived from the nonce whenever it is shown. A device of the device grant (RFC 8628) has a device code too.
create table linked_devices (
  _id                text collate "C" not null,
  site_id            text collate "C" not null references channels on delete cascade,
  app_id             text collate "C",
  consumer_id        text collate "C",
  linked_device_id   text collate "C" not null,
  type               text,
  asked_from         text,
  linked_from        text,
  linked_at          timestamptz(3),
  pin_nonce          bytea,
  pin_digest         bytea unique,
  pin_expiration     timestamptz(3),
  pin_tries          integer not null default 0,
  pin_needs_link     boolean not null default false,
  device_code_digest bytea unique,
  device_scope       text,
  polled_at          timestamptz(3),
  poll_seconds       integer not null default 5,
  denied             boolean not null default false,
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  primary key (site_id, _id),
  unique nulls not distinct (site_id, linked_device_id, app_id),
  foreign key (site_id, app_id) references apps on delete cascade,
  foreign key (site_id, consumer_id) references consumers on delete cascade,
  check ((consumer_id is null) = (linked_at is null))
);

create index linked_devices_of_consumer on linked_devices (site_id, consumer_id) where consumer_id is not null;
create index linked_devices_of_app on linked_devices (site_id, app_id);
create index linked_devices_waiting on linked_devices (pin_expiration) where consumer_id is null;

-- One sign-in and the tokens that came from it. Deleting the row ends the session. A sign-in on a share page has no app.
create table sessions (
  _id          text collate "C" not null,
  site_id      text collate "C" not null,
  consumer_id  text collate "C" not null,
  app_id       text collate "C",
  app_title    text not null,
  device_id    text collate "C",
  scope        text not null,
  ip           text,
  user_agent   text,
  refreshed_at timestamptz(3) not null default now(),
  expires_at   timestamptz(3) not null,
  ends_at      timestamptz(3) not null,
  created_at   timestamptz(3) not null default now(),
  updated_at   timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, consumer_id) references consumers on delete cascade,
  foreign key (site_id, app_id) references apps on delete cascade,
  foreign key (site_id, device_id) references linked_devices on delete cascade
);

create index sessions_of_consumer on sessions (site_id, consumer_id);
create index sessions_of_app on sessions (site_id, app_id);
create index sessions_of_device on sessions (site_id, device_id) where device_id is not null;
create index sessions_by_end on sessions (expires_at);

-- An access token with the refresh token that replaces it. Used pairs stay while the session lives: the second use of
-- a refresh token shows that it was stolen.
create table token_pairs (
  access_digest  bytea primary key,
  refresh_digest bytea not null unique,
  site_id        text collate "C" not null,
  session_id     text collate "C" not null,
  issued_at      timestamptz(3) not null default now(),
  expires_at     timestamptz(3) not null,
  spent_at       timestamptz(3),
  foreign key (site_id, session_id) references sessions on delete cascade
);

create index token_pairs_of_session on token_pairs (site_id, session_id);
create index token_pairs_spent on token_pairs (spent_at) where spent_at is not null;

-- Codes of the sign-in page. A used code stays for a while: its second use ends the session that it opened (RFC 6749,
-- section 4.1.2).
create table authorization_codes (
  digest         bytea primary key,
  site_id        text collate "C" not null,
  app_id         text collate "C" not null,
  consumer_id    text collate "C" not null,
  redirect_uri   text not null,
  code_challenge text not null,
  scope          text not null,
  expires_at     timestamptz(3) not null,
  session_id     text collate "C",
  foreign key (site_id, app_id) references apps on delete cascade,
  foreign key (site_id, consumer_id) references consumers on delete cascade
);

create index authorization_codes_by_end on authorization_codes (expires_at);
create index authorization_codes_of_consumer on authorization_codes (site_id, consumer_id);

create table video_favorites (
  _id         text collate "C" not null,
  site_id     text collate "C" not null,
  consumer_id text collate "C" not null,
  video_id    text collate "C" not null,
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, consumer_id) references consumers on delete cascade,
  foreign key (site_id, video_id) references videos on delete cascade,
  -- The consumer is not first, because the planner could not tell this index from that of the list.
  unique (site_id, video_id, consumer_id)
);

create index video_favorites_of_consumer on video_favorites (site_id, consumer_id, created_at, _id);

create table video_ratings (
  _id         text collate "C" not null,
  site_id     text collate "C" not null,
  consumer_id text collate "C" not null,
  video_id    text collate "C" not null,
  rating      double precision not null,
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  primary key (site_id, _id),
  constraint video_ratings_once unique (site_id, consumer_id, video_id),
  foreign key (site_id, consumer_id) references consumers on delete cascade,
  foreign key (site_id, video_id) references videos on delete cascade
);

create index video_ratings_of_video on video_ratings (site_id, video_id);
