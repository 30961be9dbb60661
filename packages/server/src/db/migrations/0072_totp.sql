-- Codes for who has lost the device that makes them. Each is good for once; only digests are kept.
create table publisher_recovery_codes (
  publisher_id text collate "C" not null references publishers on delete cascade,
  digest       bytea not null,
  primary key (publisher_id, digest)
);
