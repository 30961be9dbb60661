-- API keys with a name, scopes, an expiry and the networks they may be used from. A key is shown once: only its digest and
-- its last four characters are stored.

create table named_keys (
  _id              text collate "C" not null,
  site_id          text collate "C" not null references channels on delete cascade,
  name             text collate "C" not null,
  scopes           text[] not null default '{}' check (scopes <> '{}'),
  expires_at       timestamptz(3),
  allowed_networks text[] not null default '{}',
  last_used_at     timestamptz(3),
  last_four        text not null,
  digest           bytea not null unique,
  search           tsvector generated always as (
                     to_tsvector('simple'::regconfig, regexp_replace(name, '[^[:alnum:]]+', ' ', 'g'))
                   ) stored,
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

create unique index named_keys_by_name on named_keys (site_id, lower(name));
