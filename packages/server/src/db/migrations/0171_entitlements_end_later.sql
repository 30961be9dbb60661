-- A playlist may have been given to hundreds of thousands of consumers. Deleting it no longer deletes all these entitlements in
-- the same transaction: a job does (end-entitlements.job.ts). Until then, an entitlement may name a playlist that is gone.
alter table playlist_entitlements drop constraint playlist_entitlements_site_id_playlist_id_fkey;

-- Deleted playlists whose entitlements are still being deleted, and which write deleted them.
create table removed_playlists (
  _id     text collate "C" not null,
  site_id text collate "C" not null references channels on delete cascade,
  xact    xid8 not null default pg_current_xact_id(),
  step    smallint not null,
  primary key (site_id, _id)
);
