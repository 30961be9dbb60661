-- Plays and encoded windows are counted in place. With some room on each page the new version of a row stays on it, and
-- the indexes are not written. docs/decisions/0050 has measurements.
alter table plays set (fillfactor = 90);
alter table made_tracks set (fillfactor = 90);
