-- A window that is made ahead is given up to whoever waits for it.

alter table media_windows add column yields boolean not null default false;

create function may_take_window(kept media_windows, yields boolean) returns boolean
language sql stable as $$
  select free_window(kept) or (kept.holder is not null and kept.yields and not yields)
$$;
