-- Rows that were deleted, with what belonged to them, so that a deletion can be undone.

create table deleted_rows (
  site_id    text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  xact       xid8 not null,
  resource   text collate "C" not null,
  state      jsonb not null
);

create index deleted_rows_of_transaction on deleted_rows (site_id, xact);
create index deleted_rows_by_age on deleted_rows using brin (created_at);

alter table events add column undoes text collate "C";
