-- What a channel sells, and how it earns: plans, passes, ways to earn, and addresses of advertisements.

create table plans (
  _id                   text collate "C" not null,
  site_id               text collate "C" not null references channels on delete cascade,
  name                  text not null,
  description           text,
  active                boolean not null default false,
  amount                numeric not null,
  currency              text not null,
  interval              text not null check (interval in ('month', 'year', 'lifetime')),
  interval_count        integer not null,
  entitlement_type      text not null check (entitlement_type in ('global', 'tiered')),
  playlist_ids          text[] not null default '{}',
  trial_period_days     integer not null default 0,
  statement_description text,
  marketplace_ids       jsonb not null default '{}',
  stripe_id             text,
  stripe_public_key     text,
  braintree_id          text,
  recurly_code          text,
  amazon_id             text,
  third_party_id        text,
  search                tsvector generated always as (
                          to_tsvector('simple'::regconfig, regexp_replace(name, '[^[:alnum:]]+', ' ', 'g'))
                        ) stored,
  created_at            timestamptz(3) not null default now(),
  updated_at            timestamptz(3) not null default now(),
  primary key (site_id, _id),
  constraint plans_tiered_have_playlists check (entitlement_type = 'global' or playlist_ids <> '{}')
);

create table pass_plans (
  _id         text collate "C" not null,
  site_id     text collate "C" not null references channels on delete cascade,
  name        text not null,
  description text,
  active      boolean not null default true,
  amount      numeric not null,
  currency    text not null default 'USD',
  duration    integer,
  search      tsvector generated always as (
                to_tsvector('simple'::regconfig, regexp_replace(name, '[^[:alnum:]]+', ' ', 'g'))
              ) stored,
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

create table ad_tags (
  _id                text collate "C" not null,
  site_id            text collate "C" not null references channels on delete cascade,
  name               text,
  _type              text check (_type in ('AdTag::Vast', 'AdTag::Googima')),
  active             boolean not null default true,
  disabled           boolean not null default false,
  tag                text,
  vmap               boolean not null default false,
  scope              text not null default 'library' check (scope in ('library', 'video')),
  interval_count     integer,
  interval_seconds   integer,
  network_key        text,
  device_id          text collate "C",
  device_category_id text collate "C",
  revenue_partner_id text collate "C",
  search             tsvector generated always as (
                       to_tsvector('simple'::regconfig, regexp_replace(coalesce(name, ''), '[^[:alnum:]]+', ' ', 'g'))
                     ) stored,
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

create table revenue_models (
  _id         text collate "C" not null,
  site_id     text collate "C" not null references channels on delete cascade,
  name        text not null,
  description text not null,
  search      tsvector generated always as (
                to_tsvector('simple'::regconfig, regexp_replace(name, '[^[:alnum:]]+', ' ', 'g'))
              ) stored,
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

-- The ways to earn that every channel has. An id follows from channel and name.
create function add_revenue_models(site text) returns void language sql as $$
  insert into revenue_models (_id, site_id, name, description)
  select left(md5(site || name), 24), site, name, description from (values
    ('Free', 'Anybody may watch.'),
    ('Registration', 'Viewers sign in.'),
    ('Subscription', 'Viewers subscribe to a plan.'),
    ('Pass', 'Viewers have a pass for some days.'),
    ('Purchase', 'Viewers buy the video.'),
    ('Rental', 'Viewers rent the video for some days.'),
    ('Redemption code', 'Viewers redeem a code.'),
    ('Advertising', 'Viewers see advertisements.')
  ) as model (name, description)
$$;

create function give_revenue_models() returns trigger language plpgsql as $$
begin
  perform add_revenue_models(new._id);
  return null;
end
$$;

create trigger channels_earn after insert on channels for each row execute function give_revenue_models();

select add_revenue_models(_id) from channels;
