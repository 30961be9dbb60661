-- What every TV app reads at start are fields of the app. Apps that had them among their free settings keep what these said.

alter table apps
  add column theme                text not null default 'light',
  add column featured_playlist_id text collate "C",
  add column device_linking       boolean not null default true,
  add column in_app_purchase      boolean not null default false;

update apps set
  theme = coalesce(nullif(left(settings ->> 'theme', 40), ''), 'light'),
  featured_playlist_id = substring(settings ->> 'featured_playlist_id' from '^[0-9a-f]{24}$'),
  device_linking = coalesce(settings ->> 'device_linking', 'true') not in ('false', '0', 'no', 'off'),
  in_app_purchase = coalesce(settings ->> 'in_app_purchase', 'false') in ('true', '1', 'yes', 'on'),
  settings = settings - array['theme', 'featured_playlist_id', 'device_linking', 'in_app_purchase']
where settings ?| array['theme', 'featured_playlist_id', 'device_linking', 'in_app_purchase'];
