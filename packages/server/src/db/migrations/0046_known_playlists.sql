-- Entitlements to playlists, and codes for them, go with their playlist.

delete from playlist_entitlements as entitlement where not exists (
  select from playlists where site_id = entitlement.site_id and _id = entitlement.playlist_id
);
delete from redemption_codes as code where playlist_id is not null and not exists (
  select from playlists where site_id = code.site_id and _id = code.playlist_id
);

alter table playlist_entitlements
  add foreign key (site_id, playlist_id) references playlists on delete cascade;
alter table redemption_codes
  add foreign key (site_id, playlist_id) references playlists on delete cascade;

create index redemption_codes_of_playlist on redemption_codes (site_id, playlist_id) where playlist_id is not null;
