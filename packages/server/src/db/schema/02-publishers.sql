-- The people who sign in to the dashboard.

create table publishers (
  _id                   text collate "C" primary key,
  email                 text not null,
  -- Null for somebody who only signs in with an identity provider.
  password_hash         text,
  created_at            timestamptz(3) not null default now(),
  updated_at            timestamptz(3) not null default now(),
  password_changed_at   timestamptz(3) not null default now(),
  -- Sealed. Sign-in requires a code once it is enabled. No code works twice: totp_step is the last one used.
  totp_secret           bytea,
  totp_enabled_at       timestamptz(3),
  totp_step             bigint not null default 0,
  first_name            text collate "C",
  last_name             text collate "C",
  name                  text generated always as (
                          nullif(btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), '')
                        ) stored,
  phone_number          text,
  time_zone             text,
  notifications_enabled boolean not null default true,
  sign_in_count         integer not null default 0,
  current_sign_in_at    timestamptz(3),
  current_sign_in_ip    text,
  last_sign_in_at       timestamptz(3),
  last_sign_in_ip       text
);

create unique index publishers_by_email on publishers (lower(email));

-- The role of a publisher in a channel.
create table memberships (
  publisher_id text collate "C" not null references publishers on delete cascade,
  site_id      text collate "C" not null references channels on delete cascade,
  role         text not null check (role in ('owner', 'editor', 'viewer')),
  -- Whether the identity provider gave the role. Each sign-in renews such a role or ends it; roles given by owners stay.
  from_claims  boolean not null default false,
  created_at   timestamptz(3) not null default now(),
  updated_at   timestamptz(3) not null default now(),
  primary key (publisher_id, site_id)
);

create index memberships_of_channel on memberships (site_id);

-- The account of a publisher at an identity provider (OpenID Connect).
create table publisher_identities (
  issuer       text not null,
  subject      text not null,
  publisher_id text collate "C" not null references publishers on delete cascade,
  created_at   timestamptz(3) not null default now(),
  primary key (issuer, subject)
);

create index publisher_identities_of_publisher on publisher_identities (publisher_id);

-- Sessions are looked up by the digest of the cookie. A session ends after a time without use, and at ends_at in any
-- case.
create table publisher_sessions (
  _id          text collate "C" primary key,
  publisher_id text collate "C" not null references publishers on delete cascade,
  digest       bytea not null unique,
  address      text not null,
  browser      text not null,
  created_at   timestamptz(3) not null default now(),
  used_at      timestamptz(3) not null default now(),
  confirmed_at timestamptz(3) not null default now(),
  expires_at   timestamptz(3) not null,
  ends_at      timestamptz(3) not null
);

create index publisher_sessions_of_publisher on publisher_sessions (publisher_id);

-- Digests of addresses from which a publisher has signed in. An attack from elsewhere does not lock them out there.
create table publisher_addresses (
  publisher_id text collate "C" not null references publishers on delete cascade,
  digest       bytea not null,
  seen_at      timestamptz(3) not null default now(),
  primary key (publisher_id, digest)
);

-- Digests of codes for a publisher who has lost the authenticator. Each works once.
create table publisher_recovery_codes (
  publisher_id text collate "C" not null references publishers on delete cascade,
  digest       bytea not null,
  primary key (publisher_id, digest)
);

-- Single-use links that sign a publisher in to choose a password, looked up by the digest of their token.
create table sign_in_links (
  digest       bytea primary key,
  publisher_id text collate "C" not null references publishers on delete cascade,
  -- For the first sign-in, or for somebody who has forgotten the password. Neither works as the other.
  purpose      text not null default 'welcome' check (purpose in ('welcome', 'new_password')),
  created_at   timestamptz(3) not null default now(),
  expires_at   timestamptz(3) not null
);

create index sign_in_links_by_publisher on sign_in_links (publisher_id);

-- Links that make the person who opens them a member of the channel, looked up by the digest of their token. Until then nobody
-- has an account: what the channel knows of the person is here, and a new account gets the same id.
create table invitations (
  _id                   text collate "C" not null,
  site_id               text collate "C" not null references channels on delete cascade,
  email                 text not null,
  role                  text not null check (role in ('owner', 'editor', 'viewer')),
  first_name            text collate "C",
  last_name             text collate "C",
  phone_number          text,
  time_zone             text,
  notifications_enabled boolean not null default true,
  digest                bytea not null unique,
  created_at            timestamptz(3) not null default now(),
  updated_at            timestamptz(3) not null default now(),
  expires_at            timestamptz(3) not null,
  primary key (site_id, _id)
);

-- Filters, order and layout of a list that a publisher has saved under a name. They are deleted with the membership.
create table saved_views (
  _id          text collate "C" primary key,
  publisher_id text collate "C" not null,
  site_id      text collate "C" not null,
  page         text not null,
  name         text not null,
  state        jsonb not null,
  created_at   timestamptz(3) not null default now(),
  updated_at   timestamptz(3) not null default now(),
  unique (publisher_id, site_id, page, name),
  foreign key (publisher_id, site_id) references memberships on delete cascade
);
