-- Links that let a publisher in once to choose a password; found by the digest of the token in the link.

create table sign_in_links (
  digest       bytea primary key,
  publisher_id text collate "C" not null references publishers on delete cascade,
  created_at   timestamptz(3) not null default now(),
  expires_at   timestamptz(3) not null
);

create index sign_in_links_by_publisher on sign_in_links (publisher_id);
