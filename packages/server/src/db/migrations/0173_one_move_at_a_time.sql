-- Two moves at once, in opposite directions, could each take away what the other has just copied.
update storage_moves set ended_at = now()
where ended_at is null and _id <> (select _id from storage_moves where ended_at is null order by begun_at desc limit 1);
create unique index storage_moves_running on storage_moves ((ended_at is null)) where ended_at is null;
