-- Which events a webhook is sent, and the ids of deliveries.

-- Whether a type of event matches one of the patterns: the type itself, or text with * for any part of it.
create or replace function event_matches(type text, patterns text[]) returns boolean
language sql immutable parallel safe
return exists (
  select from unnest(patterns) as pattern
  where type like replace(replace(pattern, '_', '\_'), '*', '%')
);

-- The id of the delivery of an event to a webhook; it sorts by the time of the event.
create or replace function delivery_id(event_id text, webhook_id text) returns text
language sql immutable parallel safe
return left(event_id, 8) || left(md5(event_id || ' ' || webhook_id), 16);
