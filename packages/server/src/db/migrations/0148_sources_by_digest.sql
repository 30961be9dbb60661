-- Finds videos of a channel that were made from the same file.
create index sources_by_digest on sources (site_id, sha256);
