-- The answers to requests with an Idempotency-Key, for a day. A row is written in the transaction of its request.

create table idempotent_requests (
  site_id      text collate "C" not null,
  caller       text collate "C" not null,
  key          text collate "C" not null,
  -- Of the request: another one with the same key is refused.
  digest       bytea not null,
  status       smallint,
  content_type text,
  -- Sealed, because answers may contain secrets that are shown once.
  body         bytea,
  created_at   timestamptz(3) not null default now(),
  primary key (site_id, caller, key)
);

create index idempotent_requests_by_age on idempotent_requests (created_at);
