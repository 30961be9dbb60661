-- What a channel sells, what consumers have bought, and their entitlements.

-- Subscription plans.
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
  search                tsvector generated always as (words_in(name)) stored,
  created_at            timestamptz(3) not null default now(),
  updated_at            timestamptz(3) not null default now(),
  primary key (site_id, _id),
  constraint plans_tiered_have_playlists check (entitlement_type = 'global' or playlist_ids <> '{}')
);

-- Passes that consumers can buy.
create table pass_plans (
  _id         text collate "C" not null,
  site_id     text collate "C" not null references channels on delete cascade,
  name        text not null,
  description text,
  active      boolean not null default true,
  amount      numeric not null,
  currency    text not null default 'USD',
  duration    integer,
  search      tsvector generated always as (words_in(name)) stored,
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

-- URLs of advertisements.
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
  search             tsvector generated always as (words_in(coalesce(name, ''))) stored,
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

create table subscriptions (
  _id                      text collate "C" not null,
  site_id                  text collate "C" not null references channels on delete cascade,
  consumer_id              text collate "C" not null,
  plan_id                  text collate "C" not null,
  plan_name                text not null,
  status                   text not null default 'active' check (status in ('active', 'canceled', 'paused')),
  start_at                 timestamptz(3) not null default now(),
  current_period_start_at  timestamptz(3) not null default now(),
  current_period_end_at    timestamptz(3),
  cancelled_at             timestamptz(3),
  cancel_at_period_end     boolean not null default false,
  trial_end                timestamptz(3),
  trial_period_days        integer not null default 0,
  amount                   numeric not null,
  currency                 text not null,
  interval                 text not null check (interval in ('month', 'year', 'lifetime')),
  interval_count           integer not null,
  mrr                      numeric not null generated always as (
                             case interval
                               when 'month' then round(amount / interval_count, 2)
                               when 'year' then round(amount / interval_count / 12, 2)
                               else 0 end
                           ) stored,
  coupon_code              text,
  discount_amount          numeric,
  discount_percent         double precision,
  discount_duration        text,
  discount_duration_months integer,
  payment_provider         text,
  third_party_id           text,
  stripe_id                text,
  braintree_id             text,
  recurly_code             text,
  recurly_uuid             text,
  receipt_id               text,
  created_at               timestamptz(3) not null default now(),
  updated_at               timestamptz(3) not null default now(),
  search                   tsvector generated always as (
                             words_of(
                               plan_name, coupon_code, third_party_id, stripe_id,
                               braintree_id, recurly_code, receipt_id
                             )
                           ) stored,
  primary key (site_id, _id),
  foreign key (site_id, consumer_id) references consumers on delete cascade,
  -- Checked at commit, because deleting a channel deletes both.
  foreign key (site_id, plan_id) references plans deferrable initially deferred
);

create index subscriptions_by_creation on subscriptions (site_id, created_at, _id);
create index subscriptions_of_consumer on subscriptions (site_id, consumer_id);
create index subscriptions_of_plan on subscriptions (site_id, plan_id);
create index subscriptions_by_words on subscriptions using gin (site_id, search);

-- Payments as the provider reports them. A pass is a transaction. Entitlements to purchases and rentals name their
-- transaction.
create table transactions (
  _id                    text collate "C" not null,
  site_id                text collate "C" not null references channels on delete cascade,
  provider               text not null,
  consumer_id            text collate "C" not null,
  transaction_type       text not null check (transaction_type in ('purchase', 'rental', 'pass')),
  video_id               text collate "C",
  playlist_id            text collate "C",
  pass_plan_id           text collate "C",
  amount                 numeric,
  currency               text not null default 'USD',
  description            text,
  status                 text not null default 'authorized',
  expires_at             timestamptz(3),
  stripe_id              text,
  braintree_id           text,
  recurly_invoice_number text,
  roku_id                text,
  apple_id               text,
  third_party_id         text,
  -- The provider's id of the payment. A payment may be reported more than once.
  provider_id            text generated always as (
                           case provider
                             when 'stripe' then stripe_id
                             when 'braintree' then braintree_id
                             when 'recurly' then recurly_invoice_number
                             when 'roku' then roku_id
                             when 'apple_tv' then apple_id
                             when 'third_party' then third_party_id end
                         ) stored,
  created_at             timestamptz(3) not null default now(),
  updated_at             timestamptz(3) not null default now(),
  search                 tsvector generated always as (
                           words_of(
                             description, stripe_id, braintree_id, recurly_invoice_number,
                             roku_id, apple_id, third_party_id
                           )
                         ) stored,
  primary key (site_id, _id),
  constraint transactions_reported_once unique (site_id, provider, provider_id),
  constraint transactions_buy_one_thing check (num_nonnulls(video_id, playlist_id, pass_plan_id) = 1),
  foreign key (site_id, consumer_id) references consumers on delete cascade,
  -- Checked at commit, because deleting a channel deletes both.
  foreign key (site_id, pass_plan_id) references pass_plans deferrable initially deferred
);

create index transactions_by_creation on transactions (site_id, created_at, _id);
create index transactions_of_consumer on transactions (site_id, consumer_id);
create index transactions_of_pass_plan on transactions (site_id, pass_plan_id) where pass_plan_id is not null;
create index passes_of_consumer on transactions (site_id, consumer_id, expires_at) where pass_plan_id is not null;
create index transactions_by_words on transactions using gin (site_id, search);

-- A code opens one thing for the first person who redeems it.
create table redemption_codes (
  _id             text collate "C" not null,
  site_id         text collate "C" not null references channels on delete cascade,
  code            text collate "C" not null,
  nice_code       text not null generated always as (rtrim(regexp_replace(code, '(.{4})', '\1-', 'g'), '-')) stored,
  video_id        text collate "C",
  playlist_id     text collate "C",
  plan_id         text collate "C",
  pass_plan_id    text collate "C",
  content_type    text not null generated always as (
                    case
                      when video_id is not null then 'video'
                      when playlist_id is not null then 'playlist'
                      when plan_id is not null then 'plan'
                      else 'pass_plan' end
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
  search          tsvector generated always as (
                    words_of(code, regexp_replace(code, '(.{4})', '\1 ', 'g'), content_title)
                  ) stored,
  primary key (site_id, _id),
  constraint redemption_codes_taken unique (site_id, code),
  constraint redemption_codes_open_one_thing check (num_nonnulls(video_id, playlist_id, plan_id, pass_plan_id) = 1),
  foreign key (site_id, video_id) references videos on delete cascade,
  -- Checked at commit, because deleting a channel deletes all of them.
  foreign key (site_id, plan_id) references plans deferrable initially deferred,
  foreign key (site_id, pass_plan_id) references pass_plans deferrable initially deferred,
  foreign key (site_id, playlist_id) references playlists on delete cascade
);

create index redemption_codes_by_creation on redemption_codes (site_id, created_at, _id);
create index redemption_codes_of_video on redemption_codes (site_id, video_id) where video_id is not null;
create index redemption_codes_of_plan on redemption_codes (site_id, plan_id) where plan_id is not null;
create index redemption_codes_of_pass_plan on redemption_codes (site_id, pass_plan_id) where pass_plan_id is not null;
create index redemption_codes_of_playlist on redemption_codes (site_id, playlist_id) where playlist_id is not null;
create index redemption_codes_by_words on redemption_codes using gin (site_id, search);

-- Entitlements of consumers to videos.
create table video_entitlements (
  _id              text collate "C" not null,
  site_id          text collate "C" not null,
  consumer_id      text collate "C" not null,
  video_id         text collate "C" not null,
  transaction_id   text,
  transaction_type text,
  expires_at       timestamptz(3),
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, consumer_id) references consumers on delete cascade,
  foreign key (site_id, video_id) references videos on delete cascade
);

create index video_entitlements_of_video on video_entitlements (site_id, video_id);
-- In the order of the list. Counting it needs only this index.
create index video_entitlements_of_consumer on video_entitlements (site_id, consumer_id, created_at, _id);
-- entitlement_status() uses the same expressions, so that only this index matches. The planner's estimates for the index
-- above, where a consumer may have thousands of rows, and for the one by video are the same.
create index video_entitlements_to_check on video_entitlements (site_id, (consumer_id || ''), (video_id || ''));

-- Entitlements of consumers to the videos of playlists. The indexes are like those of video_entitlements. A playlist may
-- have been given to hundreds of thousands of consumers: there is no foreign key, and a job deletes the entitlements of a
-- deleted playlist (end-entitlements.job.ts). Until then, an entitlement may name a playlist that is gone.
create table playlist_entitlements (
  _id              text collate "C" not null,
  site_id          text collate "C" not null,
  consumer_id      text collate "C" not null,
  playlist_id      text collate "C" not null,
  transaction_id   text,
  transaction_type text,
  expires_at       timestamptz(3),
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, consumer_id) references consumers on delete cascade
);

create index playlist_entitlements_of_playlist on playlist_entitlements (site_id, playlist_id);
create index playlist_entitlements_of_consumer on playlist_entitlements (site_id, consumer_id, created_at, _id);
create index playlist_entitlements_to_check
  on playlist_entitlements (site_id, (consumer_id || ''), (playlist_id || ''));
