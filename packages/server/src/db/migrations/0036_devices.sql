-- The kinds of device that videos are watched on, in categories. Every channel has the same; its ids are its own.

create table device_categories (
  _id                text collate "C" not null,
  site_id            text collate "C" not null references channels on delete cascade,
  name               text collate "C" not null,
  image_content_type text,
  image_file_name    text,
  image_file_size    integer,
  image_fingerprint  text,
  image_updated_at   timestamptz(3),
  search             tsvector generated always as (
                       to_tsvector('simple'::regconfig, regexp_replace(name, '[^[:alnum:]]+', ' ', 'g'))
                     ) stored,
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  primary key (site_id, _id),
  unique (site_id, name)
);

create table devices (
  _id                text collate "C" not null,
  site_id            text collate "C" not null references channels on delete cascade,
  name               text collate "C" not null,
  description        text not null,
  device_category_id text collate "C" not null,
  search             tsvector generated always as (
                       to_tsvector('simple'::regconfig, regexp_replace(name, '[^[:alnum:]]+', ' ', 'g'))
                     ) stored,
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  primary key (site_id, _id),
  unique (site_id, name),
  foreign key (site_id, device_category_id) references device_categories on delete cascade
);

-- An id like any other, always the same for the same channel, time and name.
create function id_of(site_id text, moment timestamptz, name text) returns text
language sql immutable parallel safe
return lpad(to_hex(extract(epoch from moment)::bigint), 8, '0') || left(md5(site_id || ' ' || name), 16);

create function add_devices(channel channels) returns void language sql as $$
  with kinds (category, name, description) as (values
    ('Desktop', 'Desktop', 'Browsers on computers'),
    ('Mobile', 'iOS (HTML5)', 'Browsers on iPhone and iPad'),
    ('Mobile', 'iOS (Native)', 'Apps on iPhone and iPad'),
    ('Mobile', 'Android (HTML5)', 'Browsers on Android'),
    ('Mobile', 'Android (Native)', 'Apps on Android'),
    ('Mobile', 'Windows Phone (HTML5)', 'Browsers on Windows Phone'),
    ('Mobile', 'BlackBerry (HTML5)', 'Browsers on BlackBerry'),
    ('TV box', 'Apple TV', 'Apps on Apple TV'),
    ('TV box', 'FireTV', 'Apps on Fire TV'),
    ('TV box', 'Roku', 'Channels on Roku'),
    ('TV box', 'Chromecast', 'Cast to Chromecast'),
    ('TV box', 'Metrological', 'Apps on boxes of cable networks'),
    ('Game console', 'Xbox', 'Apps on Xbox'),
    ('Game console', 'Xbox (HTML5)', 'Browsers on Xbox'),
    ('Smart TV', 'SmartTV', 'Apps on TV sets'),
    ('Smart TV', 'OperaTV', 'Apps of Opera TV'),
    ('Smart TV', 'Xumo', 'Apps of Xumo')
  ), categories as (
    insert into device_categories (_id, site_id, name)
    select distinct id_of(channel._id, channel.created_at, 'category ' || category), channel._id, category from kinds
    returning _id, name
  )
  insert into devices (_id, site_id, name, description, device_category_id)
  select id_of(channel._id, channel.created_at, 'device ' || kinds.name), channel._id, kinds.name,
    kinds.description, categories._id
  from kinds join categories on categories.name = kinds.category
$$;

create function add_devices_to_channel() returns trigger language plpgsql as $$
begin
  perform add_devices(new);
  return null;
end $$;

create trigger channels_get_devices after insert on channels
  for each row execute function add_devices_to_channel();

select add_devices(channels) from channels;
