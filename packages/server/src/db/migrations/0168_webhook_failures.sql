-- Queued events become deliveries for webhooks that answer first, and for all others later.
alter table event_queue add column is_later boolean not null default false;
drop index event_queue_by_channel;
create index event_queue_by_channel on event_queue (is_later, site_id, event_id);

-- On how many days deliveries have failed since failing_since, and the last of them: one failure long ago and one today are
-- no reason to switch a webhook off.
alter table webhooks add column failing_days integer not null default 0;
alter table webhooks add column last_failed_on date;
