-- Workers take queued events of every channel in turns.
create index event_queue_by_channel on event_queue (site_id, event_id);

-- The limit per host holds for all ports of it, and a name means the same with a dot at its end.
alter table webhooks drop column host;
alter table webhooks add column host text generated always as (
  rtrim(lower(substring(url from '^[a-zA-Z]+://(\[[^]]*\]|[^/?#:]+)')), '.')
) stored;
