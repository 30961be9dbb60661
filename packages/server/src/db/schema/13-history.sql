-- What happened in a channel: one row for each change of a record, written in the transaction of the change. Partitions
-- by day are made ahead and dropped by keep_event_days(); the default partition takes what has none.

create sequence event_numbers;

create table events (
  _id        text collate "C" not null,
  site_id    text collate "C" not null,
  created_at timestamptz(3) not null,
  -- Readers with a cursor go by the transaction: ids are in the order of writing, not of committing.
  xact       xid8 not null,
  type       text collate "C" not null,
  -- The table of the record.
  resource   text collate "C" not null,
  record_id  text collate "C",
  actor      text collate "C" not null,
  request_id text collate "C",
  -- The row after the change, or before its deletion, without secrets; and the old values of changed columns.
  state      jsonb not null,
  previous   jsonb,
  -- The event that this change undoes.
  undoes     text collate "C",
  -- Which write of a batch this is, so that the deletions of one can be undone alone; 0 outside of batches.
  step       smallint not null default 0,
  primary key (_id, created_at)
) partition by range (created_at);

create index events_in_order on events (site_id, xact, _id);
create index events_of_record on events (site_id, record_id, xact, _id);

create table events_other partition of events default;

-- The server that the transactions of events belong to: see adopt_events().
create table event_clusters (identifier text primary key);

-- Rows that were deleted, with what belonged to them, so that a deletion can be undone.
create table deleted_rows (
  site_id    text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  xact       xid8 not null,
  resource   text collate "C" not null,
  state      jsonb not null,
  step       smallint not null default 0
);

create index deleted_rows_of_transaction on deleted_rows (site_id, xact);
create index deleted_rows_by_age on deleted_rows using brin (created_at);
