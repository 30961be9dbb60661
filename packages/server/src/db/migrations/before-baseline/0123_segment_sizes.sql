-- How large each segment of a window is, and where its first frame ends. Playlists say the rates that were measured, and where
-- the key frames lie. Windows that were made before know their size alone.

alter table media_windows add column segment_bytes integer[], add column key_bytes integer[];
