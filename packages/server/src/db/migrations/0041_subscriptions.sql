-- Who has subscribed to what, and what somebody may therefore watch.

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
                             case interval when 'month' then round(amount / interval_count, 2)
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
  primary key (site_id, _id),
  foreign key (site_id, consumer_id) references consumers on delete cascade,
  -- Looked at when all is done: a channel that is removed takes both along.
  foreign key (site_id, plan_id) references plans deferrable initially deferred
);

create index subscriptions_by_creation on subscriptions (site_id, created_at, _id);
create index subscriptions_of_consumer on subscriptions (site_id, consumer_id);
create index subscriptions_of_plan on subscriptions (site_id, plan_id);

-- Whether a subscription holds at this moment.
create function holds(status text, cancel_at_period_end boolean, ends timestamptz) returns boolean
language sql stable
return case status when 'active' then ends is null or ends > now()
                   when 'canceled' then cancel_at_period_end and ends > now()
                   else false end is true;

create function living_subscriptions(site text, consumer text) returns setof subscriptions language sql stable as $$
  select * from subscriptions
  where site_id = site and consumer_id = consumer and holds(status, cancel_at_period_end, current_period_end_at)
$$;

-- Counted when it is asked for: a subscription ends by itself.
alter table consumers drop column subscription_count;

create view subscription_entitlements as
  select case when playlist_id is null then subscriptions._id
              else left(md5(subscriptions._id || playlist_id), 24) end as _id,
    site_id, subscriptions.created_at, subscriptions.updated_at, consumer_id, subscriptions._id as subscription_id,
    plan_id, plans.name as plan_name, entitlement_type, playlist_id, current_period_end_at as expires_at
  from subscriptions
  join plans using (site_id)
  left join lateral unnest(playlist_ids) as playlist_id on entitlement_type = 'tiered'
  where plans._id = plan_id and holds(status, cancel_at_period_end, current_period_end_at);

-- What a consumer has that opens a video; nothing for a consumer that is not there.
create function standing_of(site text, consumer text, video text)
returns table (super_watcher boolean, subscribes boolean, is_entitled boolean) language sql stable as $$
  select consumers.super_watcher, exists (
    select from living_subscriptions(site, consumer) as subscription
    join plans on plans.site_id = site and plans._id = subscription.plan_id
    where entitlement_type = 'global'
  ), exists (
    select from video_entitlements
    where site_id = site and consumer_id = consumer and video_id = video
      and (expires_at is null or expires_at > now())
  )
  from consumers where site_id = site and _id = consumer
$$;
