-- The defaults of a new channel, and the formats of its videos.

-- Adds the kinds of device to a new channel.
create or replace function add_devices(channel channels) returns void language sql as $$
  with kinds (category, name, description) as (values
    ('Desktop', 'Desktop', 'Browsers on computers'),
    ('Mobile', 'iOS (HTML5)', 'Browsers on iPhone and iPad'),
    ('Mobile', 'iOS (Native)', 'Apps on iPhone and iPad'),
    ('Mobile', 'Android (HTML5)', 'Browsers on Android'),
    ('Mobile', 'Android (Native)', 'Apps on Android'),
    ('Mobile', 'Windows Phone (HTML5)', 'Browsers on Windows Phone'),
    ('Mobile', 'BlackBerry (HTML5)', 'Browsers on BlackBerry'),
    ('TV box', 'Apple TV', 'Apps on Apple TV'),
    ('TV box', 'FireTV', 'Apps on Fire TV'),
    ('TV box', 'Roku', 'Channels on Roku'),
    ('TV box', 'Chromecast', 'Cast to Chromecast'),
    ('TV box', 'Metrological', 'Apps on boxes of cable networks'),
    ('Game console', 'Xbox', 'Apps on Xbox'),
    ('Game console', 'Xbox (HTML5)', 'Browsers on Xbox'),
    ('Smart TV', 'SmartTV', 'Apps on TV sets'),
    ('Smart TV', 'OperaTV', 'Apps of Opera TV'),
    ('Smart TV', 'Xumo', 'Apps of Xumo')
  ), categories as (
    insert into device_categories (_id, site_id, name)
    select distinct id_of(channel._id, channel.created_at, 'category ' || category), channel._id, category from kinds
    returning _id, name
  )
  insert into devices (_id, site_id, name, description, device_category_id)
  select id_of(channel._id, channel.created_at, 'device ' || kinds.name), channel._id, kinds.name,
    kinds.description, categories._id
  from kinds join categories on categories.name = kinds.category
$$;

-- Adds the revenue models to a new channel. Their ids are derived from channel and name.
create or replace function add_revenue_models(site text) returns void language sql as $$
  insert into revenue_models (_id, site_id, name, description)
  select left(md5(site || name), 24), site, name, description from (values
    ('Free', 'Anybody may watch.'),
    ('Registration', 'Viewers sign in.'),
    ('Subscription', 'Viewers subscribe to a plan.'),
    ('Pass', 'Viewers have a pass for some days.'),
    ('Purchase', 'Viewers buy the video.'),
    ('Rental', 'Viewers rent the video for some days.'),
    ('Redemption code', 'Viewers redeem a code.'),
    ('Advertising', 'Viewers see advertisements.')
  ) as model (name, description)
$$;

-- Returns the formats of a video: those of its channel, unless its own settings override them. Every flag in the row of
-- the channel is a format. They are in the order of their kinds, each from small to large.
create or replace function wanted_formats(site_id text, own jsonb) returns text[]
language sql stable
return (
  select array(
    select name from jsonb_each(to_jsonb(formats)) as format (name, of_channel)
    where jsonb_typeof(of_channel) = 'boolean' and coalesce(own -> name, of_channel) = 'true'::jsonb
    order by split_part(name, '_', 1), length(name), name
  )
  from formats where formats._id = wanted_formats.site_id
);
