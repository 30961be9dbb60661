-- What was paid for, as payment providers report it. A pass is a transaction; what was bought or rented has entitlements
-- that name their transaction.

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
  -- What the provider calls it: the same payment is reported more than once.
  provider_id            text generated always as (
                           case provider when 'stripe' then stripe_id
                                         when 'braintree' then braintree_id
                                         when 'recurly' then recurly_invoice_number
                                         when 'roku' then roku_id
                                         when 'apple_tv' then apple_id
                                         when 'third_party' then third_party_id end
                         ) stored,
  created_at             timestamptz(3) not null default now(),
  updated_at             timestamptz(3) not null default now(),
  primary key (site_id, _id),
  constraint transactions_reported_once unique (site_id, provider, provider_id),
  constraint transactions_buy_one_thing check (num_nonnulls(video_id, playlist_id, pass_plan_id) = 1),
  foreign key (site_id, consumer_id) references consumers on delete cascade,
  -- Looked at when all is done: a channel that is removed takes both along.
  foreign key (site_id, pass_plan_id) references pass_plans deferrable initially deferred
);

create index transactions_by_creation on transactions (site_id, created_at, _id);
create index transactions_of_consumer on transactions (site_id, consumer_id);
create index passes_of_consumer on transactions (site_id, consumer_id) where pass_plan_id is not null;
create index transactions_of_pass_plan on transactions (site_id, pass_plan_id) where pass_plan_id is not null;

drop function standing_of(text, text, text);

-- What a consumer has that opens a video; nothing for a consumer that is not there.
-- `playlists` are those that the video is in, and those above them.
create function standing_of(site text, consumer text, video text, playlists text[])
returns table (super_watcher boolean, subscribes boolean, has_pass boolean, is_entitled boolean)
language sql stable as $$
  select consumers.super_watcher, exists (
    select from living_subscriptions(site, consumer) as subscription
    join plans on plans.site_id = site and plans._id = subscription.plan_id
    where entitlement_type = 'global' or playlist_ids && playlists
  ), exists (
    select from transactions
    where site_id = site and consumer_id = consumer and pass_plan_id is not null
      and (expires_at is null or expires_at > now())
  ), exists (
    select from video_entitlements
    where site_id = site and consumer_id = consumer and video_id = video
      and (expires_at is null or expires_at > now())
  )
  from consumers where site_id = site and _id = consumer
$$;
