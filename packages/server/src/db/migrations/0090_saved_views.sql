-- How somebody likes to see a list: filters, order and layout under a name of their own. It goes with their membership.

create table saved_views (
  _id          text collate "C" primary key,
  publisher_id text collate "C" not null,
  site_id      text collate "C" not null,
  page         text not null,
  name         text not null,
  state        jsonb not null,
  created_at   timestamptz(3) not null default now(),
  updated_at   timestamptz(3) not null default now(),
  unique (publisher_id, site_id, page, name),
  foreign key (publisher_id, site_id) references memberships on delete cascade
);
