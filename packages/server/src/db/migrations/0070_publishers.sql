-- People who sign in to the dashboard: who they are, and where they are signed in.

alter table publishers
  add column name                text,
  add column password_changed_at timestamptz(3) not null default now(),
  -- Sealed. It asks for codes once it is enabled, and takes no code twice: totp_step is the last one it took.
  add column totp_secret         bytea,
  add column totp_enabled_at     timestamptz(3),
  add column totp_step           bigint not null default 0;

alter table memberships
  add column created_at timestamptz(3) not null default now();

create index memberships_of_channel on memberships (site_id);

-- Found by the digest of what the cookie has. It ends after a time without use, and in any case at ends_at.
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

-- Where someone has signed in before: an attack from elsewhere does not shut them out here.
create table publisher_addresses (
  publisher_id text collate "C" not null references publishers on delete cascade,
  digest       bytea not null,
  seen_at      timestamptz(3) not null default now(),
  primary key (publisher_id, digest)
);
