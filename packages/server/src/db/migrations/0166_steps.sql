-- A batch makes several writes in one transaction. Each is a step, so that the deletions of one can be undone alone.
alter table events add column step smallint not null default 0;
alter table deleted_rows add column step smallint not null default 0;

-- A repeated request gets the same ids of events as the first.
alter table idempotent_requests add column event_ids text;
