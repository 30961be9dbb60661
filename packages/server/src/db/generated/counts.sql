-- Counts of lists: functions/lists.sql.
-- Written by `npm run generate -- sql` from the contract. Do not edit it.

create or replace trigger videos_counted after insert or update or delete on videos
  for each row execute function note_list_change();
create or replace trigger consumers_counted after insert or update or delete on consumers
  for each row execute function note_list_change_plain();
