-- How consumers like videos. Sums are kept with the video, so that its mean is exact whoever else rates at the moment.

alter table videos
  add column rating_count integer not null default 0,
  add column rating_sum   numeric not null default 0;

create table video_ratings (
  _id         text collate "C" not null,
  site_id     text collate "C" not null,
  consumer_id text collate "C" not null,
  video_id    text collate "C" not null,
  rating      double precision not null,
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  primary key (site_id, _id),
  constraint video_ratings_once unique (site_id, consumer_id, video_id),
  foreign key (site_id, consumer_id) references consumers on delete cascade,
  foreign key (site_id, video_id) references videos on delete cascade
);

create index video_ratings_of_video on video_ratings (site_id, video_id);

create function follow_rating() returns trigger language plpgsql as $$
begin
  update videos set
    rating_count = rating_count + change.count,
    rating_sum = rating_sum + change.sum,
    rating = (rating_sum + change.sum) / nullif(rating_count + change.count, 0)
  from (select
    (new is not null)::int - (old is not null)::int as count,
    coalesce(new.rating::numeric, 0) - coalesce(old.rating::numeric, 0) as sum
  ) as change
  where site_id = coalesce(new.site_id, old.site_id) and _id = coalesce(new.video_id, old.video_id);
  return null;
end
$$;

create trigger video_ratings_counted after insert or update of rating or delete on video_ratings
  for each row execute function follow_rating();
