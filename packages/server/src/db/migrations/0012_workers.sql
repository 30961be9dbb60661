-- Worker processes that are alive. Each says so every other second; the jobs of one that has fallen silent go to others.

create table workers (
  _id           text collate "C" primary key,
  -- The names under which it takes jobs from the queue.
  runners       text[] not null,
  makes_windows boolean not null,
  seen_at       timestamptz(3) not null default now()
);

-- What a process was making when it ended.
create index media_windows_held on media_windows (holder) where holder is not null;
