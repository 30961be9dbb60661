-- Objects of a channel's own, in types that say what each has, attached to videos. The videos' rows show them.

create table zobject_types (
  _id                text collate "C" not null,
  site_id            text collate "C" not null references channels on delete cascade,
  title              text collate "C" not null,
  description        text,
  videos_enabled     boolean not null default true,
  playlists_enabled  boolean not null default true,
  zobject_count      integer not null default 0,
  zobject_attributes jsonb not null default '[]',
  search             tsvector generated always as (
                       to_tsvector('simple'::regconfig, regexp_replace(title, '[^[:alnum:]]+', ' ', 'g'))
                     ) stored,
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  primary key (site_id, _id),
  unique (site_id, title)
);

create table zobjects (
  _id                text collate "C" not null,
  site_id            text collate "C" not null,
  zobject_type       text collate "C" not null,
  zobject_type_id    text collate "C" not null,
  zobject_type_title text not null default '',
  title              text collate "C" not null,
  friendly_title     text not null,
  description        text,
  active             boolean not null default false,
  keywords           text[] not null default '{}',
  video_ids          text[] not null default '{}',
  pictures           jsonb not null default '[]',
  custom             jsonb not null default '{}',
  search             tsvector generated always as (search_words(title, keywords, null)) stored,
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, zobject_type_id) references zobject_types on delete cascade,
  foreign key (site_id, zobject_type) references zobject_types (site_id, title) on update cascade on delete cascade
);

create index zobjects_of_type on zobjects (site_id, zobject_type_id, created_at, _id);
create index zobjects_by_title_of_type on zobjects (site_id, zobject_type_id, title, _id);
create index zobjects_by_friendly_title on zobjects (site_id, zobject_type_id, friendly_title);
create index zobjects_of_type_title on zobjects (site_id, zobject_type);
create index zobjects_by_words on zobjects using gin (site_id, search);
create index zobjects_by_attribute on zobjects using gin (site_id, custom jsonb_path_ops);
create index zobjects_by_video on zobjects using gin (site_id, video_ids) where video_ids <> '{}';

create table zobject_videos (
  site_id    text collate "C" not null,
  zobject_id text collate "C" not null,
  video_id   text collate "C" not null,
  place      bigint generated always as identity,
  primary key (site_id, zobject_id, video_id),
  foreign key (site_id, zobject_id) references zobjects on delete cascade,
  foreign key (site_id, video_id) references videos on delete cascade
);

create index zobject_videos_of_video on zobject_videos (site_id, video_id);

create function name_zobject_type() returns trigger language plpgsql as $$
begin
  new.zobject_type_title := new.zobject_type;
  return new;
end $$;

create trigger zobjects_named before insert or update on zobjects for each row execute function name_zobject_type();

create function count_zobjects() returns trigger language plpgsql as $$
begin
  update zobject_types set zobject_count = zobject_count + changed.difference
  from (
    select site_id, zobject_type_id, (case when tg_op = 'INSERT' then 1 else -1 end) * count(*) as difference
    from changed_rows group by 1, 2
  ) as changed
  where zobject_types.site_id = changed.site_id and _id = changed.zobject_type_id;
  return null;
end $$;

create trigger zobjects_counted_in after insert on zobjects
  referencing new table as changed_rows for each statement execute function count_zobjects();
create trigger zobjects_counted_out after delete on zobjects
  referencing old table as changed_rows for each statement execute function count_zobjects();

-- What the record of a video says about its zobjects: their ids, and something about those that viewers may see.
-- The rows are held first: the statement after that sees what those before have written.
create function show_zobjects(site text, video_ids text[]) returns void language plpgsql as $$
begin
  perform from videos where site_id = site and _id = any (video_ids) order by _id for no key update;
  update videos set
    updated_at = now(),
    zobject_ids = array(
      select zobject_id from zobject_videos as link
      where link.site_id = site and link.video_id = videos._id order by place
    ),
    video_zobjects = coalesce((
      select jsonb_agg(jsonb_build_object(
        '_id', zobject._id, 'title', zobject.title, 'description', zobject.description,
        'zobject_type_title', zobject.zobject_type
      ) order by place)
      from zobject_videos as link join zobjects as zobject
        on zobject.site_id = link.site_id and zobject._id = link.zobject_id
      where link.site_id = site and link.video_id = videos._id and zobject.active
    ), '[]')
  where site_id = site and _id = any (video_ids);
end $$;

create function follow_zobject_videos() returns trigger language plpgsql as $$
begin
  perform from zobjects where (site_id, _id) in (select site_id, zobject_id from changed_rows)
    order by _id for no key update;
  update zobjects set
    updated_at = now(),
    video_ids = array(
      select video_id from zobject_videos as link
      where link.site_id = zobjects.site_id and link.zobject_id = zobjects._id order by place
    )
  where (site_id, _id) in (select distinct site_id, zobject_id from changed_rows);
  perform show_zobjects(site_id, array_agg(distinct video_id)) from changed_rows group by site_id;
  return null;
end $$;

create trigger zobject_videos_added after insert on zobject_videos
  referencing new table as changed_rows for each statement execute function follow_zobject_videos();
create trigger zobject_videos_removed after delete on zobject_videos
  referencing old table as changed_rows for each statement execute function follow_zobject_videos();

create function follow_zobjects() returns trigger language plpgsql as $$
begin
  perform show_zobjects(link.site_id, array_agg(distinct link.video_id))
  from new_rows as now join old_rows as was on was.site_id = now.site_id and was._id = now._id
  join zobject_videos as link on link.site_id = now.site_id and link.zobject_id = now._id
  where (was.title, was.description, was.active, was.zobject_type)
    is distinct from (now.title, now.description, now.active, now.zobject_type)
  group by link.site_id;
  return null;
end $$;

create trigger zobjects_followed after update on zobjects
  referencing old table as old_rows new table as new_rows for each statement execute function follow_zobjects();
