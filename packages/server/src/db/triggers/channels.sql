-- Gives a new channel its formats, its kinds of device and its revenue models. Their ids are derived from channel and name.
create or replace function add_defaults() returns trigger language plpgsql as $$
begin
  insert into formats (_id) values (new._id);

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
    select distinct id_of(new._id, new.created_at, 'category ' || category), new._id, category from kinds
    returning _id, name
  )
  insert into devices (_id, site_id, name, description, device_category_id)
  select id_of(new._id, new.created_at, 'device ' || kinds.name), new._id, kinds.name, kinds.description, categories._id
  from kinds join categories on categories.name = kinds.category;

  insert into revenue_models (_id, site_id, name, description)
  select left(md5(new._id || name), 24), new._id, name, description from (values
    ('Free', 'Anybody may watch.'),
    ('Registration', 'Viewers sign in.'),
    ('Subscription', 'Viewers subscribe to a plan.'),
    ('Pass', 'Viewers have a pass for some days.'),
    ('Purchase', 'Viewers buy the video.'),
    ('Rental', 'Viewers rent the video for some days.'),
    ('Redemption code', 'Viewers redeem a code.'),
    ('Advertising', 'Viewers see advertisements.')
  ) as model (name, description);
  return null;
end $$;

create or replace trigger channels_defaults after insert on channels for each row execute function add_defaults();
