-- Codes that open one thing for whoever redeems them first.

create table redemption_codes (
  _id             text collate "C" not null,
  site_id         text collate "C" not null references channels on delete cascade,
  code            text collate "C" not null,
  nice_code       text not null generated always as (
                    rtrim(regexp_replace(code, '(.{4})', '\1-', 'g'), '-')
                  ) stored,
  video_id        text collate "C",
  playlist_id     text collate "C",
  plan_id         text collate "C",
  pass_plan_id    text collate "C",
  content_type    text not null generated always as (
                    case when video_id is not null then 'video' when playlist_id is not null then 'playlist'
                         when plan_id is not null then 'plan' else 'pass_plan' end
                  ) stored,
  content_title   text,
  expiration_date timestamptz(3),
  redeemed        boolean not null generated always as (redeemed_at is not null) stored,
  redeemed_at     timestamptz(3),
  consumer_id     text collate "C",
  transaction_id  text collate "C",
  subscription_id text collate "C",
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (site_id, _id),
  constraint redemption_codes_taken unique (site_id, code),
  constraint redemption_codes_open_one_thing
    check (num_nonnulls(video_id, playlist_id, plan_id, pass_plan_id) = 1),
  -- Looked at when all is done: a channel that is removed takes both along.
  foreign key (site_id, video_id) references videos on delete cascade,
  foreign key (site_id, plan_id) references plans deferrable initially deferred,
  foreign key (site_id, pass_plan_id) references pass_plans deferrable initially deferred
);

create index redemption_codes_by_creation on redemption_codes (site_id, created_at, _id);
create index redemption_codes_of_video on redemption_codes (site_id, video_id) where video_id is not null;
create index redemption_codes_of_plan on redemption_codes (site_id, plan_id) where plan_id is not null;
create index redemption_codes_of_pass_plan on redemption_codes (site_id, pass_plan_id) where pass_plan_id is not null;
