-- The history of every channel: one row for each change of a record, written in the transaction of the change by
-- note_change(). Events, versions of videos and deleted rows that can come back are read from it:
-- docs/decisions/0060-one-history.md. Partitions by day are made ahead and dropped by keep_event_days(); the default partition takes
-- what has none.

create sequence event_numbers;

create table events (
  _id        text collate "C" not null,
  site_id    text collate "C" not null,
  created_at timestamptz(3) not null,
  -- Readers with a cursor go by the transaction: ids are in the order of writing, not of committing.
  xact       xid8 not null,
  -- Null for what is no event: rows that were deleted with others.
  type       text collate "C",
  -- The table of the record.
  resource   text collate "C" not null,
  record_id  text collate "C",
  actor      text collate "C" not null,
  request_id text collate "C",
  -- The row after the change, or before its deletion, without secrets; and the old values of changed columns. All values
  -- are texts, as comparing two rows makes them.
  state      hstore not null,
  previous   hstore,
  -- The event that this change undoes.
  undoes     text collate "C",
  -- Which write of a batch this is, so that the deletions of one can be undone alone; 0 outside of batches.
  step       smallint not null default 0,
  -- The changed columns that made it an event; and for versions, the name of the actor at that time.
  fields     text[],
  author     text,
  -- What `state` lacks of a deleted row that can come back.
  kept       hstore,
  primary key (_id, created_at)
) partition by range (created_at);

create index events_in_order on events (site_id, xact, _id);
create index events_of_record on events (site_id, record_id, xact, _id);

-- Rows of up to 4 kB stay on their page. They hardly compress, so most would only be moved to the TOAST table.
create table events_other partition of events default with (toast_tuple_target = 4080);

-- The server that the transactions of events belong to: see adopt_events().
create table event_clusters (identifier text primary key);

-- Versions of videos whose events are too old to be kept. keep_versions() writes them.
create table old_video_versions (
  -- Of the last event that it was made from.
  _id        text collate "C" not null,
  site_id    text collate "C" not null,
  video_id   text collate "C" not null,
  number     integer not null,
  caller     text,
  author     text,
  fields     text[] not null,
  before     jsonb not null,
  after      jsonb not null,
  created_at timestamptz(3) not null,
  primary key (site_id, video_id, number),
  foreign key (site_id, video_id) references videos on delete cascade
);
