-- Webhooks and their deliveries. An event of a channel with an active webhook is queued in the transaction that writes it;
-- workers turn queued events into deliveries, and send these.

create table webhooks (
  _id                   text collate "C" not null,
  site_id               text collate "C" not null references channels on delete cascade,
  url                   text not null,
  -- The machine it is sent to: deliveries to one host are bounded together. The limit holds for all ports of it, and a name
  -- means the same with a dot at its end.
  host                  text generated always as (
                          rtrim(lower(substring(url from '^[a-zA-Z]+://(\[[^]]*\]|[^/?#:]+)')), '.')
                        ) stored,
  events                text[] not null default '{}' check (events <> '{}'),
  description           text,
  active                boolean not null default true,
  failing_since         timestamptz(3),
  -- On how many days deliveries have failed since then, and the last of them: one failure long ago and one today are no reason
  -- to switch a webhook off.
  failing_days          integer not null default 0,
  last_failed_on        date,
  switched_off_reason   text,
  last_delivered_at     timestamptz(3),
  -- Sealed, as the secret before it, which signs too until previous_secret_until.
  sealed_secret         bytea not null,
  previous_secret       bytea,
  previous_secret_until timestamptz(3),
  created_at            timestamptz(3) not null default now(),
  updated_at            timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

-- The id is made from those of event and webhook, so that an event becomes one delivery however often it is dispatched.
-- While a delivery is being sent, next_attempt_at is the time at which another worker may take it.
create table webhook_deliveries (
  _id             text collate "C" not null,
  site_id         text collate "C" not null,
  webhook_id      text collate "C" not null,
  event_id        text collate "C" not null,
  event_type      text not null,
  status          text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  attempt_count   integer not null default 0,
  next_attempt_at timestamptz(3),
  response_status integer,
  milliseconds    integer,
  error           text,
  delivered_at    timestamptz(3),
  attempts        jsonb not null default '[]',
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (site_id, webhook_id, _id),
  foreign key (site_id, webhook_id) references webhooks on delete cascade
) with (fillfactor = 80);

create index webhook_deliveries_waiting on webhook_deliveries (site_id, webhook_id, next_attempt_at) where status = 'waiting';
create index webhook_deliveries_of_webhook on webhook_deliveries (site_id, webhook_id, created_at, _id);
create index webhook_deliveries_by_time on webhook_deliveries (created_at);

-- Events of which workers make deliveries: first for webhooks that answer, and later for those that are new or fail.
create table event_queue (
  is_later boolean not null default false,
  site_id  text collate "C" not null references channels on delete cascade,
  event_id text collate "C" not null,
  type     text not null,
  primary key (is_later, site_id, event_id)
);
