-- The people of a channel as records, invitations to become one of them, and when keys were last used.

alter table api_keys add column used_at timestamptz(3);

alter table publishers
  drop column name,
  -- Whoever was invited has none until they choose one.
  alter column password_hash drop not null,
  add column first_name            text collate "C",
  add column last_name             text collate "C",
  add column name                  text generated always as (
                                     nullif(btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), '')
                                   ) stored,
  add column phone_number          text,
  add column time_zone             text,
  add column notifications_enabled boolean not null default true,
  add column sign_in_count         integer not null default 0,
  add column current_sign_in_at    timestamptz(3),
  add column current_sign_in_ip    text,
  add column last_sign_in_at       timestamptz(3),
  add column last_sign_in_ip       text;

alter table memberships add column updated_at timestamptz(3) not null default now();

create view users as
select
  publishers._id, site_id, memberships.created_at, greatest(publishers.updated_at, memberships.updated_at) as updated_at,
  email collate "C" as email, first_name, last_name, phone_number, role, array[role] as role_ids, time_zone,
  notifications_enabled, sign_in_count, current_sign_in_at, current_sign_in_ip, last_sign_in_at, last_sign_in_ip,
  to_tsvector('simple'::regconfig, regexp_replace(coalesce(name, '') || ' ' || email, '[^[:alnum:]]+', ' ', 'g')) as search
from memberships join publishers on publishers._id = publisher_id;

-- A link that makes whoever opens it one of the channel's people; found by the digest of what the link has.
create table invitations (
  _id        text collate "C" not null,
  site_id    text collate "C" not null references channels on delete cascade,
  email      text not null,
  role       text not null check (role in ('owner', 'editor', 'viewer')),
  digest     bytea not null unique,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (site_id, _id)
);
