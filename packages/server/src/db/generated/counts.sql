-- Counts of lists: functions/lists.sql.
-- Written by `npm run generate -- sql` from the contract. Do not edit it.

create or replace trigger videos_inserted after insert on videos
  for each row when (new.deleted_at is null) execute function note_list_insert();
create or replace trigger videos_updated after update on videos
  for each row when (old.deleted_at is null or new.deleted_at is null) execute function note_list_update();
create or replace trigger videos_deleted after delete on videos
  referencing old table as old_rows for each statement execute function note_list_delete();

create or replace trigger consumers_inserted after insert on consumers
  for each row execute function note_list_insert_plain();
create or replace trigger consumers_updated after update on consumers
  for each row execute function note_list_update_plain();
create or replace trigger consumers_deleted after delete on consumers
  referencing old table as old_rows for each statement execute function note_list_delete_plain();
