-- Imports say how they came, whether their feed still has them, and what the server of the film calls it.

alter table video_imports
  add column type   text not null default 'url',
  add column active boolean not null default true,
  add column etag   text generated always as (case when validator like '"%' then validator end) stored;

update video_imports set type = 'mrss' where video_source_id is not null;
update video_imports set active = false from video_source_items as item
where item.site_id = video_imports.site_id and item.import_id = video_imports._id and not item.is_listed;
