-- What a publisher wants on the poster of a video: the frame at a time, or an image. Neither: one is chosen by itself.

alter table videos
  add column poster_seconds  double precision,
  add column poster_image_id text collate "C",
  add constraint one_poster check (poster_seconds is null or poster_image_id is null);

create index videos_by_poster_image on videos (poster_image_id) where poster_image_id is not null;
