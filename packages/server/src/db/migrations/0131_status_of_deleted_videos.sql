-- The status of deleted videos is written with deleted_at, from the table in films/status.ts. No trigger follows any more.
drop trigger if exists videos_removed on videos;
drop function if exists follow_removal();

update videos set status_before_removal = status, status = 'deleted' where deleted_at is not null and status <> 'deleted';
update videos set status = coalesce(status_before_removal, 'created'), status_before_removal = null
where deleted_at is null and status = 'deleted';

alter table videos add constraint videos_status_deleted check ((status = 'deleted') = (deleted_at is not null));
