-- Adds formats, kinds of device and revenue models to a new channel, in any order.

create or replace function give_revenue_models() returns trigger language plpgsql as $$
begin
  perform add_revenue_models(new._id);
  return null;
end $$;

create or replace trigger channels_earn after insert on channels for each row execute function give_revenue_models();

create or replace function add_formats() returns trigger
language plpgsql as $$
begin
  insert into formats (_id) values (new._id);
  return null;
end $$;

create or replace trigger channels_formats after insert on channels for each row execute function add_formats();

create or replace function add_devices_to_channel() returns trigger language plpgsql as $$
begin
  perform add_devices(new);
  return null;
end $$;

create or replace trigger channels_get_devices after insert on channels
  for each row execute function add_devices_to_channel();
