-- The whole schema: tables as the database has them, then functions, views and triggers as written.
-- `npm run dump-schema` writes this file. Do not edit it.

create extension btree_gin;
create extension hstore;
create extension pg_trgm;

create type applied_rule as (
  distance integer,
  _id text,
  policy text,
  priority integer,
  stackable boolean,
  match_type text,
  places text[],
  device_ids text[],
  device_category_ids text[],
  domains text[],
  starts_at timestamp with time zone,
  ends_at timestamp with time zone
);

create sequence event_numbers start 1 increment 1 minvalue 1 maxvalue 9223372036854775807 cache 1;
create sequence playlist_positions start 1 increment 1 minvalue 1 maxvalue 9223372036854775807 cache 1;

create table ad_tags (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  name text,
  _type text,
  active boolean not null default true,
  disabled boolean not null default false,
  tag text,
  vmap boolean not null default false,
  scope text not null default 'library'::text,
  interval_count integer,
  interval_seconds integer,
  network_key text,
  device_id text collate "C",
  device_category_id text collate "C",
  revenue_partner_id text collate "C",
  search tsvector generated always as (to_tsvector('simple'::regconfig, regexp_replace(COALESCE(name, ''::text), '[^[:alnum:]]+'::text, ' '::text, 'g'::text))) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint ad_tags_pkey PRIMARY KEY (site_id, _id),
  constraint ad_tags_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint ad_tags__type_check CHECK ((_type = ANY (ARRAY['AdTag::Vast'::text, 'AdTag::Googima'::text]))),
  constraint ad_tags_scope_check CHECK ((scope = ANY (ARRAY['library'::text, 'video'::text])))
);

-- trigger ad_tags_history: after insert or update or delete, each row, note_change()

create table ad_timings (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  video_id text collate "C" not null,
  data_source_id text collate "C" not null,
  milliseconds integer not null,
  "time" double precision not null generated always as (((milliseconds)::double precision / (1000)::double precision)) stored,
  duration_milliseconds integer,
  duration double precision generated always as (((duration_milliseconds)::double precision / (1000)::double precision)) stored,
  type text not null generated always as (
CASE
    WHEN (milliseconds = 0) THEN 'preroll'::text
    ELSE 'midroll'::text
END) stored,
  mode text not null default 'manual'::text,
  ad_placement_id text,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint ad_timings_pkey PRIMARY KEY (site_id, _id),
  constraint ad_timings_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE,
  constraint ad_timings_duration_milliseconds_check CHECK ((duration_milliseconds >= 0)),
  constraint ad_timings_milliseconds_check CHECK ((milliseconds >= 0))
);

CREATE INDEX ad_timings_of_data_source ON public.ad_timings USING btree (site_id, video_id, data_source_id, milliseconds, _id);

-- trigger ad_timings_history: after insert or update or delete, each row, note_change()

create table api_keys (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  kind text not null,
  digest bytea not null,
  sealed bytea not null,
  created_at timestamp(3) with time zone not null default now(),
  expires_at timestamp(3) with time zone,
  used_at timestamp(3) with time zone,
  constraint api_keys_pkey PRIMARY KEY (_id),
  constraint api_keys_digest_key UNIQUE (digest),
  constraint api_keys_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint api_keys_kind_check CHECK ((kind = ANY (ARRAY['admin'::text, 'read_only'::text, 'player'::text])))
);

CREATE INDEX api_keys_of_channel ON public.api_keys USING btree (site_id, kind);

-- trigger api_keys_history: after insert, each row, note_rotated_key()

create table app_credentials (
  digest bytea not null,
  site_id text collate "C" not null,
  app_id text collate "C" not null,
  kind text not null,
  expires_at timestamp(3) with time zone,
  constraint app_credentials_pkey PRIMARY KEY (digest),
  constraint app_credentials_site_id_app_id_fkey FOREIGN KEY (site_id, app_id) REFERENCES apps(site_id, _id) ON DELETE CASCADE,
  constraint app_credentials_kind_check CHECK ((kind = ANY (ARRAY['app_key'::text, 'client_secret'::text])))
);

CREATE INDEX app_credentials_of_app ON public.app_credentials USING btree (site_id, app_id);

-- trigger app_credentials_history: after delete, each row, note_change()

create table applied_files (
  name text not null,
  sha256 text not null,
  version text not null,
  applied_at timestamp with time zone not null default now(),
  constraint applied_files_pkey PRIMARY KEY (name)
);

create table apps (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  title text collate "C" not null,
  active boolean not null default true,
  app_key bytea not null,
  client_id text not null,
  client_secret bytea not null,
  first_page smallint,
  public_client boolean not null default false,
  app_type_id text,
  device_ids text[] not null default '{}'::text[],
  version text,
  store_id text,
  store_icon_url text,
  per_page integer,
  settings jsonb not null default '{}'::jsonb,
  search tsvector generated always as (to_tsvector('simple'::regconfig, regexp_replace(title, '[^[:alnum:]]+'::text, ' '::text, 'g'::text))) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  password_grant boolean not null default true,
  device_renewal text not null default 'same_network'::text,
  redirect_uris text[] not null default '{}'::text[],
  theme text not null default 'light'::text,
  featured_playlist_id text collate "C",
  device_linking boolean not null default true,
  in_app_purchase boolean not null default false,
  constraint apps_pkey PRIMARY KEY (site_id, _id),
  constraint apps_client_id_key UNIQUE (client_id),
  constraint apps_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint apps_device_renewal_check CHECK ((device_renewal = ANY (ARRAY['same_network'::text, 'always'::text, 'never'::text]))),
  constraint apps_first_page_check CHECK ((first_page = ANY (ARRAY[0, 1])))
);

-- trigger apps_history: after insert or update or delete, each row, note_change()

create unlogged table attempts (
  key bytea not null,
  forgotten_at timestamp with time zone not null,
  constraint attempts_pkey PRIMARY KEY (key)
);

create table audio_tracks (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  video_id text collate "C" not null,
  source_id text collate "C",
  track text collate "C",
  language text,
  title text,
  kind text not null default 'main'::text,
  "default" boolean not null default false,
  active boolean not null default true,
  file_id text collate "C",
  file_file_name text,
  bytes bigint,
  sha256 text,
  facts jsonb,
  status text not null default 'processing'::text,
  failures integer not null default 0,
  error text,
  notice text,
  origin text not null generated always as (
CASE
    WHEN (file_id IS NULL) THEN 'film'::text
    ELSE 'upload'::text
END) stored,
  duration double precision generated always as (((facts ->> 'duration'::text))::double precision) stored,
  channels integer generated always as ((((facts -> 'audio'::text) ->> 'channels'::text))::integer) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint audio_tracks_pkey PRIMARY KEY (site_id, _id),
  constraint audio_tracks_site_id_source_id_fkey FOREIGN KEY (site_id, source_id) REFERENCES sources(site_id, _id) ON DELETE CASCADE,
  constraint audio_tracks_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE,
  constraint audio_tracks_check CHECK (((source_id IS NULL) = (track IS NULL))),
  constraint audio_tracks_check1 CHECK (((source_id IS NULL) = (file_id IS NOT NULL))),
  constraint audio_tracks_kind_check CHECK ((kind = ANY (ARRAY['main'::text, 'description'::text, 'commentary'::text]))),
  constraint audio_tracks_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'ready'::text, 'failed'::text])))
);

CREATE UNIQUE INDEX audio_tracks_by_file ON public.audio_tracks USING btree (file_id) WHERE (file_id IS NOT NULL);
CREATE UNIQUE INDEX audio_tracks_of_source ON public.audio_tracks USING btree (site_id, source_id, track) WHERE (source_id IS NOT NULL);
CREATE INDEX audio_tracks_of_video ON public.audio_tracks USING btree (site_id, video_id, created_at, _id) INCLUDE (bytes);

-- trigger audio_tracks_history: after insert or update or delete, each row, note_change()
-- trigger audio_tracks_ended: after delete, each statement, note_ended_audio()

create table authorization_codes (
  digest bytea not null,
  site_id text collate "C" not null,
  app_id text collate "C" not null,
  consumer_id text collate "C" not null,
  redirect_uri text not null,
  code_challenge text not null,
  scope text not null,
  expires_at timestamp(3) with time zone not null,
  session_id text collate "C",
  constraint authorization_codes_pkey PRIMARY KEY (digest),
  constraint authorization_codes_site_id_app_id_fkey FOREIGN KEY (site_id, app_id) REFERENCES apps(site_id, _id) ON DELETE CASCADE,
  constraint authorization_codes_site_id_consumer_id_fkey FOREIGN KEY (site_id, consumer_id) REFERENCES consumers(site_id, _id) ON DELETE CASCADE
);

CREATE INDEX authorization_codes_by_end ON public.authorization_codes USING btree (expires_at);
CREATE INDEX authorization_codes_of_consumer ON public.authorization_codes USING btree (site_id, consumer_id);

create table categories (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  title text collate "C" not null,
  friendly_title text not null,
  "values" text[] not null default '{}'::text[],
  renamed jsonb not null default '{}'::jsonb,
  search tsvector generated always as (search_words(title, '{}'::text[], ''::text)) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint categories_pkey PRIMARY KEY (site_id, _id),
  constraint categories_site_id_title_key UNIQUE (site_id, title),
  constraint categories_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE
);

CREATE INDEX categories_by_creation ON public.categories USING btree (site_id, created_at, _id);
CREATE UNIQUE INDEX categories_by_friendly_title ON public.categories USING btree (site_id, friendly_title);

-- trigger categories_history: after insert or update or delete, each row, note_change()

create table category_content_rules (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  category_id text collate "C" not null,
  name text,
  policy text not null default 'deny'::text,
  priority integer not null default 1,
  stackable boolean not null default true,
  enabled boolean not null default true,
  geographies jsonb not null default '[]'::jsonb,
  device_ids text[] not null default '{}'::text[],
  device_category_ids text[] not null default '{}'::text[],
  domains text[] not null default '{}'::text[],
  starts_at timestamp(3) with time zone,
  ends_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint category_content_rules_pkey PRIMARY KEY (site_id, _id),
  constraint category_content_rules_site_id_category_id_fkey FOREIGN KEY (site_id, category_id) REFERENCES categories(site_id, _id) ON DELETE CASCADE,
  constraint category_content_rules_policy_check CHECK ((policy = ANY (ARRAY['allow'::text, 'deny'::text])))
);

CREATE INDEX category_content_rules_of_category ON public.category_content_rules USING btree (site_id, category_id, priority);

-- trigger category_content_rules_history: after insert or update or delete, each row, note_change()

create table channels (
  _id text collate "C" not null,
  site_id text collate "C" not null generated always as (_id) stored,
  title text not null,
  first_page smallint not null default 0,
  playlist_bundle_enabled boolean not null default false,
  theoplayer_version text,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  logo_url text,
  brand_color text,
  support_url text,
  verify_email boolean not null default false,
  reset_password_url text,
  storage_limit bigint,
  embed_domains text[] not null default '{}'::text[],
  hls_encryption boolean not null default false,
  respect_do_not_track boolean not null default false,
  player_color text,
  player_logo_url text,
  player_autoplay boolean not null default false,
  player_muted boolean not null default false,
  player_loop boolean not null default false,
  player_controls boolean not null default true,
  sign_in_url text,
  subscribe_url text,
  purchase_url text,
  constraint channels_pkey PRIMARY KEY (_id),
  constraint channels_first_page_check CHECK ((first_page = ANY (ARRAY[0, 1])))
);

-- trigger channels_not_kept: before delete, each statement, keep_nothing()
-- trigger channels_earn: after insert, each row, give_revenue_models()
-- trigger channels_formats: after insert, each row, add_formats()
-- trigger channels_get_devices: after insert, each row, add_devices_to_channel()
-- trigger channels_history: after update, each row, note_change()
-- trigger channels_history_end: after delete, each row, forget_history()

create table consumer_tokens (
  site_id text collate "C" not null,
  consumer_id text collate "C" not null,
  kind text not null,
  digest bytea not null,
  sealed bytea not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint consumer_tokens_pkey PRIMARY KEY (site_id, consumer_id, kind),
  constraint consumer_tokens_site_id_consumer_id_fkey FOREIGN KEY (site_id, consumer_id) REFERENCES consumers(site_id, _id) ON DELETE CASCADE,
  constraint consumer_tokens_kind_check CHECK ((kind = ANY (ARRAY['rss_token'::text, 'remember_token'::text])))
);

CREATE UNIQUE INDEX consumer_tokens_by_digest ON public.consumer_tokens USING btree (site_id, kind, digest);

-- trigger consumer_tokens_history: after delete, each row, note_change()

create table consumers (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  email text collate "C" not null,
  password_hash text,
  name text,
  birthday text,
  sex text,
  terms boolean not null default false,
  updates boolean not null default false,
  parental_access_code text,
  parental_access_rating text,
  super_watcher boolean not null default false,
  stripe_id text,
  braintree_id text,
  recurly_code text,
  custom jsonb not null default '{}'::jsonb,
  email_verified_at timestamp(3) with time zone,
  sign_in_count integer not null default 0,
  current_sign_in_at timestamp(3) with time zone,
  current_sign_in_ip text,
  last_sign_in_at timestamp(3) with time zone,
  last_sign_in_ip text,
  search tsvector generated always as (to_tsvector('simple'::regconfig, regexp_replace(((COALESCE(name, ''::text) || ' '::text) || email), '[^[:alnum:]]+'::text, ' '::text, 'g'::text))) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  record text not null default ''::text,
  password_token_digest bytea,
  video_count integer not null default 0,
  playlist_count integer not null default 0,
  pass_count integer not null default 0,
  transaction_count integer not null default 0,
  payment_providers text[] not null default '{}'::text[],
  constraint consumers_pkey PRIMARY KEY (site_id, _id),
  constraint consumers_email_taken UNIQUE (site_id, email),
  constraint consumers_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE
);

CREATE INDEX consumers_by_attribute ON public.consumers USING gin (site_id, custom jsonb_path_ops);
CREATE INDEX consumers_by_creation ON public.consumers USING btree (site_id, created_at, _id);
CREATE INDEX consumers_by_passes ON public.consumers USING btree (site_id, ((pass_count)::double precision));
CREATE INDEX consumers_by_playlists ON public.consumers USING btree (site_id, ((playlist_count)::double precision));
CREATE INDEX consumers_by_provider ON public.consumers USING gin (site_id, payment_providers) WHERE (payment_providers <> '{}'::text[]);
CREATE INDEX consumers_by_transactions ON public.consumers USING btree (site_id, ((transaction_count)::double precision));
CREATE INDEX consumers_by_videos ON public.consumers USING btree (site_id, ((video_count)::double precision));
CREATE INDEX consumers_by_words ON public.consumers USING gin (site_id, search);

-- trigger consumers_written: before insert or update, each row, keep_consumer_record()
-- trigger consumers_history: after insert or update or delete, each row, note_change()
-- trigger consumers_inserted: after insert, each row, note_list_insert_plain()
-- trigger consumers_updated: after update, each row, note_list_update_plain()
-- trigger consumers_deleted: after delete, each statement, note_list_delete_plain()

create table content_rule_profiles (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  title text collate "C",
  description text,
  is_default_profile boolean not null default false,
  content_rules jsonb not null default '[]'::jsonb,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  search tsvector generated always as (words_of(VARIADIC ARRAY[title, description])) stored,
  constraint content_rule_profiles_pkey PRIMARY KEY (site_id, _id),
  constraint content_rule_profiles_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE
);

CREATE INDEX content_rule_profiles_by_words ON public.content_rule_profiles USING gin (site_id, search);
CREATE UNIQUE INDEX content_rule_profiles_default ON public.content_rule_profiles USING btree (site_id) WHERE is_default_profile;

-- trigger content_rule_profiles_history: after insert or update or delete, each row, note_change()

create table device_categories (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  name text collate "C" not null,
  image_content_type text,
  image_file_name text,
  image_file_size integer,
  image_fingerprint text,
  image_updated_at timestamp(3) with time zone,
  search tsvector generated always as (to_tsvector('simple'::regconfig, regexp_replace(name, '[^[:alnum:]]+'::text, ' '::text, 'g'::text))) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint device_categories_pkey PRIMARY KEY (site_id, _id),
  constraint device_categories_site_id_name_key UNIQUE (site_id, name),
  constraint device_categories_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE
);

create table devices (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  name text collate "C" not null,
  description text not null,
  device_category_id text collate "C" not null,
  search tsvector generated always as (to_tsvector('simple'::regconfig, regexp_replace(name, '[^[:alnum:]]+'::text, ' '::text, 'g'::text))) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint devices_pkey PRIMARY KEY (site_id, _id),
  constraint devices_site_id_name_key UNIQUE (site_id, name),
  constraint devices_site_id_device_category_id_fkey FOREIGN KEY (site_id, device_category_id) REFERENCES device_categories(site_id, _id) ON DELETE CASCADE,
  constraint devices_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE
);

create table encoding_times (
  site_id text collate "C" not null,
  track text collate "C" not null,
  way text not null,
  seconds double precision not null,
  film_seconds double precision not null,
  constraint encoding_times_pkey PRIMARY KEY (site_id, track, way),
  constraint encoding_times_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint encoding_times_way_check CHECK ((way = ANY (ARRAY['audio'::text, 'copy'::text, 'encode'::text, 'join'::text])))
);

create table ended_media (
  _id text collate "C" not null,
  ended_at timestamp(3) with time zone not null default now(),
  constraint ended_media_pkey PRIMARY KEY (_id)
);

create table event_clusters (
  identifier text not null,
  constraint event_clusters_pkey PRIMARY KEY (identifier)
);

create table event_queue (
  is_later boolean not null default false,
  site_id text collate "C" not null,
  event_id text collate "C" not null,
  type text not null,
  constraint event_queue_pkey PRIMARY KEY (is_later, site_id, event_id),
  constraint event_queue_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE
);

create table events (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  xact xid8 not null,
  type text collate "C",
  resource text collate "C" not null,
  record_id text collate "C",
  actor text collate "C" not null,
  request_id text collate "C",
  state jsonb not null,
  previous jsonb,
  undoes text collate "C",
  step smallint not null default 0,
  fields text[],
  author text,
  kept jsonb,
  constraint events_pkey PRIMARY KEY (_id, created_at)
) partition by RANGE (created_at);

CREATE INDEX events_in_order ON ONLY public.events USING btree (site_id, xact, _id);
CREATE INDEX events_of_record ON ONLY public.events USING btree (site_id, record_id, xact, _id);

create table feed_keys (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  feed_id text collate "C" not null,
  name text,
  key bytea not null,
  digest bytea not null,
  expires_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint feed_keys_pkey PRIMARY KEY (site_id, _id),
  constraint feed_keys_digest_key UNIQUE (digest),
  constraint feed_keys_site_id_feed_id_fkey FOREIGN KEY (site_id, feed_id) REFERENCES feeds(site_id, _id) ON DELETE CASCADE
);

CREATE INDEX feed_keys_of_feed ON public.feed_keys USING btree (site_id, feed_id, created_at, _id);

-- trigger feed_keys_history: after insert or update or delete, each row, note_change()

create table feeds (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  playlist_id text collate "C" not null,
  title text,
  description text,
  link text,
  language text,
  media text not null default 'hls'::text,
  item_limit integer not null default 100,
  active boolean not null default true,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint feeds_pkey PRIMARY KEY (site_id, _id),
  constraint feeds_site_id_playlist_id_fkey FOREIGN KEY (site_id, playlist_id) REFERENCES playlists(site_id, _id) ON DELETE CASCADE,
  constraint feeds_media_check CHECK ((media = ANY (ARRAY['hls'::text, 'mp4'::text])))
);

CREATE INDEX feeds_by_creation ON public.feeds USING btree (site_id, created_at, _id);
CREATE INDEX feeds_of_playlist ON public.feeds USING btree (site_id, playlist_id);

-- trigger feeds_history: after insert or update or delete, each row, note_change()

create table formats (
  _id text collate "C" not null,
  site_id text collate "C" not null generated always as (_id) stored,
  hls_240p boolean not null default true,
  hls_360p boolean not null default true,
  hls_480p boolean not null default true,
  hls_720p boolean not null default true,
  hls_1080p boolean not null default true,
  webm_360p boolean not null default true,
  mp4_360p boolean not null default true,
  revision integer not null default 0,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint formats_pkey PRIMARY KEY (_id),
  constraint formats__id_fkey FOREIGN KEY (_id) REFERENCES channels(_id) ON DELETE CASCADE
);

-- trigger formats_history: after update, each row, note_change()

create table idempotent_requests (
  site_id text collate "C" not null,
  caller text collate "C" not null,
  key text collate "C" not null,
  digest bytea not null,
  status smallint,
  content_type text,
  body bytea,
  event_ids text,
  created_at timestamp(3) with time zone not null default now(),
  constraint idempotent_requests_pkey PRIMARY KEY (site_id, caller, key)
);

CREATE INDEX idempotent_requests_by_age ON public.idempotent_requests USING btree (created_at);

create table image_files (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  owner_id text collate "C" not null,
  is_thumbnail boolean not null default false,
  word text not null,
  content_type text not null,
  bytes bytea not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint image_files_pkey PRIMARY KEY (_id),
  constraint image_files_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE
);

CREATE INDEX image_files_of_owner ON public.image_files USING btree (site_id, owner_id);

-- trigger image_files_history: after delete, each row, note_change()

create table installation (
  name text not null,
  value text not null,
  constraint installation_pkey PRIMARY KEY (name)
);

create table invitations (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  email text not null,
  role text not null,
  digest bytea not null,
  created_at timestamp(3) with time zone not null default now(),
  expires_at timestamp(3) with time zone not null,
  constraint invitations_pkey PRIMARY KEY (site_id, _id),
  constraint invitations_digest_key UNIQUE (digest),
  constraint invitations_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'editor'::text, 'viewer'::text])))
);

create table known_addresses (
  site_id text collate "C" not null,
  consumer_id text collate "C" not null,
  digest bytea not null,
  seen_at timestamp(3) with time zone not null default now(),
  constraint known_addresses_pkey PRIMARY KEY (site_id, consumer_id, digest),
  constraint known_addresses_site_id_consumer_id_fkey FOREIGN KEY (site_id, consumer_id) REFERENCES consumers(site_id, _id) ON DELETE CASCADE
);

create table known_words (
  site_id text collate "C" not null,
  word text collate "C" not null,
  constraint known_words_pkey PRIMARY KEY (site_id, word),
  constraint known_words_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE
);

CREATE INDEX known_words_by_likeness ON public.known_words USING gin (site_id, word gin_trgm_ops);

create table linked_devices (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  app_id text collate "C",
  consumer_id text collate "C",
  linked_device_id text collate "C" not null,
  type text,
  asked_from text,
  linked_from text,
  linked_at timestamp(3) with time zone,
  pin_nonce bytea,
  pin_digest bytea,
  pin_expiration timestamp(3) with time zone,
  pin_tries integer not null default 0,
  pin_needs_link boolean not null default false,
  device_code_digest bytea,
  device_scope text,
  polled_at timestamp(3) with time zone,
  poll_seconds integer not null default 5,
  denied boolean not null default false,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint linked_devices_pkey PRIMARY KEY (site_id, _id),
  constraint linked_devices_device_code_digest_key UNIQUE (device_code_digest),
  constraint linked_devices_pin_digest_key UNIQUE (pin_digest),
  constraint linked_devices_site_id_linked_device_id_app_id_key UNIQUE NULLS NOT DISTINCT (site_id, linked_device_id, app_id),
  constraint linked_devices_site_id_app_id_fkey FOREIGN KEY (site_id, app_id) REFERENCES apps(site_id, _id) ON DELETE CASCADE,
  constraint linked_devices_site_id_consumer_id_fkey FOREIGN KEY (site_id, consumer_id) REFERENCES consumers(site_id, _id) ON DELETE CASCADE,
  constraint linked_devices_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint linked_devices_check CHECK (((consumer_id IS NULL) = (linked_at IS NULL)))
);

CREATE INDEX linked_devices_of_app ON public.linked_devices USING btree (site_id, app_id);
CREATE INDEX linked_devices_of_consumer ON public.linked_devices USING btree (site_id, consumer_id) WHERE (consumer_id IS NOT NULL);
CREATE INDEX linked_devices_waiting ON public.linked_devices USING btree (pin_expiration) WHERE (consumer_id IS NULL);

-- trigger linked_devices_history: after insert or update or delete, each row, note_linked_device()

create table list_changes (
  seq bigint not null generated always as identity,
  site_id text collate "C" not null,
  list text not null,
  active boolean not null,
  minute timestamp with time zone not null,
  delta integer not null,
  constraint list_changes_pkey PRIMARY KEY (seq)
);

CREATE INDEX list_changes_of_list ON public.list_changes USING btree (site_id, list);

create table list_days (
  site_id text collate "C" not null,
  list text not null,
  active boolean not null,
  day timestamp with time zone not null,
  total integer not null,
  constraint list_days_pkey PRIMARY KEY (site_id, list, active, day)
);

create table list_minutes (
  site_id text collate "C" not null,
  list text not null,
  active boolean not null,
  minute timestamp with time zone not null,
  total integer not null,
  constraint list_minutes_pkey PRIMARY KEY (site_id, list, active, minute)
);

create table list_versions (
  site_id text collate "C" not null,
  list text not null,
  changes bigint not null,
  constraint list_versions_pkey PRIMARY KEY (site_id, list)
);

create table made_tracks (
  site_id text collate "C" not null,
  source_id text collate "C" not null,
  track text collate "C" not null,
  windows integer not null,
  bytes bigint not null,
  constraint made_tracks_pkey PRIMARY KEY (site_id, source_id, track),
  constraint made_tracks_site_id_source_id_fkey FOREIGN KEY (site_id, source_id) REFERENCES sources(site_id, _id) ON DELETE CASCADE
) with (fillfactor=90);

create table mail_tokens (
  digest bytea not null,
  site_id text collate "C" not null,
  consumer_id text collate "C" not null,
  purpose text not null,
  email text not null,
  expires_at timestamp(3) with time zone not null,
  constraint mail_tokens_pkey PRIMARY KEY (digest),
  constraint mail_tokens_site_id_consumer_id_fkey FOREIGN KEY (site_id, consumer_id) REFERENCES consumers(site_id, _id) ON DELETE CASCADE,
  constraint mail_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['reset_password'::text, 'verify_email'::text])))
);

CREATE INDEX mail_tokens_of_consumer ON public.mail_tokens USING btree (site_id, consumer_id);

create table media_windows (
  source_id text collate "C" not null,
  track text collate "C" not null,
  number integer not null,
  holder text,
  lease_until timestamp(3) with time zone,
  made_at timestamp(3) with time zone,
  bytes bigint,
  failures integer not null default 0,
  error text,
  retry_at timestamp(3) with time zone,
  mishaps integer not null default 0,
  yields boolean not null default false,
  segment_bytes integer[],
  key_bytes integer[],
  constraint media_windows_pkey PRIMARY KEY (source_id, track, number),
  constraint media_windows_check CHECK (((made_at IS NULL) OR ((holder IS NULL) AND (lease_until IS NULL))))
);

CREATE INDEX media_windows_held ON public.media_windows USING btree (holder) WHERE (holder IS NOT NULL);

-- trigger media_windows_made: after update, each row, add_made_window()
-- trigger media_windows_put: after insert, each row, add_made_window()
-- trigger media_windows_removed: after delete, each statement, take_made_windows()

create table memberships (
  publisher_id text collate "C" not null,
  site_id text collate "C" not null,
  role text not null,
  from_claims boolean not null default false,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint memberships_pkey PRIMARY KEY (publisher_id, site_id),
  constraint memberships_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(_id) ON DELETE CASCADE,
  constraint memberships_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'editor'::text, 'viewer'::text])))
);

CREATE INDEX memberships_of_channel ON public.memberships USING btree (site_id);

-- trigger memberships_history: after insert or update or delete, each row, note_member()

create table migrations (
  name text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);

create table named_keys (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  name text collate "C" not null,
  scopes text[] not null default '{}'::text[],
  expires_at timestamp(3) with time zone,
  allowed_networks text[] not null default '{}'::text[],
  last_used_at timestamp(3) with time zone,
  last_four text not null,
  digest bytea not null,
  search tsvector generated always as (to_tsvector('simple'::regconfig, regexp_replace(name, '[^[:alnum:]]+'::text, ' '::text, 'g'::text))) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint named_keys_pkey PRIMARY KEY (site_id, _id),
  constraint named_keys_digest_key UNIQUE (digest),
  constraint named_keys_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint named_keys_scopes_check CHECK ((scopes <> '{}'::text[]))
);

CREATE UNIQUE INDEX named_keys_by_name ON public.named_keys USING btree (site_id, lower(name));

-- trigger named_keys_history: after insert or update or delete, each row, note_change()

create table old_video_versions (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  video_id text collate "C" not null,
  number integer not null,
  caller text,
  author text,
  fields text[] not null,
  before jsonb not null,
  after jsonb not null,
  created_at timestamp(3) with time zone not null,
  constraint old_video_versions_pkey PRIMARY KEY (site_id, video_id, number),
  constraint old_video_versions_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE
);

create table pass_plans (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  name text not null,
  description text,
  active boolean not null default true,
  amount numeric not null,
  currency text not null default 'USD'::text,
  duration integer,
  search tsvector generated always as (to_tsvector('simple'::regconfig, regexp_replace(name, '[^[:alnum:]]+'::text, ' '::text, 'g'::text))) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint pass_plans_pkey PRIMARY KEY (site_id, _id),
  constraint pass_plans_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE
);

-- trigger pass_plans_history: after insert or update or delete, each row, note_change()

create table plans (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  name text not null,
  description text,
  active boolean not null default false,
  amount numeric not null,
  currency text not null,
  "interval" text not null,
  interval_count integer not null,
  entitlement_type text not null,
  playlist_ids text[] not null default '{}'::text[],
  trial_period_days integer not null default 0,
  statement_description text,
  marketplace_ids jsonb not null default '{}'::jsonb,
  stripe_id text,
  stripe_public_key text,
  braintree_id text,
  recurly_code text,
  amazon_id text,
  third_party_id text,
  search tsvector generated always as (to_tsvector('simple'::regconfig, regexp_replace(name, '[^[:alnum:]]+'::text, ' '::text, 'g'::text))) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint plans_pkey PRIMARY KEY (site_id, _id),
  constraint plans_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint plans_entitlement_type_check CHECK ((entitlement_type = ANY (ARRAY['global'::text, 'tiered'::text]))),
  constraint plans_interval_check CHECK (("interval" = ANY (ARRAY['month'::text, 'year'::text, 'lifetime'::text]))),
  constraint plans_tiered_have_playlists CHECK (((entitlement_type = 'global'::text) OR (playlist_ids <> '{}'::text[])))
);

-- trigger plans_history: after insert or update or delete, each row, note_change()

create table play_reports (
  site_id text collate "C" not null,
  video_id text collate "C" not null,
  play text collate "C" not null,
  device text not null,
  began_at timestamp(3) with time zone not null,
  watched_seconds integer not null default 0,
  ended boolean not null default false,
  counted_seconds integer,
  counted_end boolean not null default false,
  is_due boolean not null generated always as (((counted_seconds IS DISTINCT FROM watched_seconds) OR (counted_end <> ended))) stored,
  constraint play_reports_pkey PRIMARY KEY (site_id, video_id, play),
  constraint play_reports_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE
);

CREATE INDEX play_reports_by_beginning ON public.play_reports USING btree (began_at);
CREATE INDEX play_reports_due ON public.play_reports USING btree (site_id, video_id, play) WHERE is_due;

create table playlist_content_rules (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  playlist_id text collate "C" not null,
  name text,
  policy text not null default 'deny'::text,
  priority integer not null default 1,
  stackable boolean not null default true,
  enabled boolean not null default true,
  geographies jsonb not null default '[]'::jsonb,
  device_ids text[] not null default '{}'::text[],
  device_category_ids text[] not null default '{}'::text[],
  domains text[] not null default '{}'::text[],
  starts_at timestamp(3) with time zone,
  ends_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint playlist_content_rules_pkey PRIMARY KEY (site_id, _id),
  constraint playlist_content_rules_site_id_playlist_id_fkey FOREIGN KEY (site_id, playlist_id) REFERENCES playlists(site_id, _id) ON DELETE CASCADE,
  constraint playlist_content_rules_policy_check CHECK ((policy = ANY (ARRAY['allow'::text, 'deny'::text])))
);

CREATE INDEX playlist_content_rules_of_playlist ON public.playlist_content_rules USING btree (site_id, playlist_id, priority);

-- trigger playlist_content_rules_history: after insert or update or delete, each row, note_change()

create table playlist_entitlements (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  consumer_id text collate "C" not null,
  playlist_id text collate "C" not null,
  transaction_id text,
  transaction_type text,
  expires_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint playlist_entitlements_pkey PRIMARY KEY (site_id, _id),
  constraint playlist_entitlements_site_id_consumer_id_fkey FOREIGN KEY (site_id, consumer_id) REFERENCES consumers(site_id, _id) ON DELETE CASCADE
);

CREATE INDEX playlist_entitlements_of_consumer ON public.playlist_entitlements USING btree (site_id, consumer_id, created_at, _id);
CREATE INDEX playlist_entitlements_of_playlist ON public.playlist_entitlements USING btree (site_id, playlist_id);
CREATE INDEX playlist_entitlements_to_check ON public.playlist_entitlements USING btree (site_id, ((consumer_id || ''::text)), ((playlist_id || ''::text)));

-- trigger playlist_entitlements_checked: before insert or update, each row, check_entitled_playlist()
-- trigger playlist_entitlements_history: after insert or update or delete, each row, note_change()
-- trigger playlist_entitlements_given: after insert, each statement, note_entitlements_given()
-- trigger playlist_entitlements_taken: after delete, each statement, note_entitlements_taken()

create table playlist_videos (
  site_id text collate "C" not null,
  playlist_id text collate "C" not null,
  video_id text collate "C" not null,
  "position" bigint not null default nextval('playlist_positions'::regclass),
  shown boolean not null,
  constraint playlist_videos_pkey PRIMARY KEY (site_id, playlist_id, video_id),
  constraint playlist_videos_site_id_playlist_id_fkey FOREIGN KEY (site_id, playlist_id) REFERENCES playlists(site_id, _id) ON DELETE CASCADE,
  constraint playlist_videos_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE
);

CREATE INDEX playlist_videos_of_video ON public.playlist_videos USING btree (site_id, video_id);
CREATE INDEX playlist_videos_shown ON public.playlist_videos USING btree (site_id, playlist_id, "position") INCLUDE (video_id) WHERE shown;

-- trigger playlist_videos_history: after delete, each row, note_change()
-- trigger playlist_videos_deleted: after delete, each statement, count_playlist_videos()
-- trigger playlist_videos_inserted: after insert, each statement, count_playlist_videos()
-- trigger playlist_videos_updated: after update, each statement, count_playlist_videos()

create table playlists (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  title text collate "C" not null,
  friendly_title text not null,
  internal_title text,
  description text,
  active boolean not null default true,
  keywords text[] not null default '{}'::text[],
  parent_id text collate "C",
  priority integer not null default 0,
  playlist_type text not null default 'manual'::text,
  match_type text not null default 'any'::text,
  categories jsonb not null default '[]'::jsonb,
  sort_options jsonb not null default '[]'::jsonb,
  thumbnail_layout text not null default 'landscape'::text,
  custom_thumbnail_url text,
  discovery_url text,
  purchase_required boolean not null default false,
  purchase_price numeric,
  rental_required boolean not null default false,
  rental_price numeric,
  rental_duration integer,
  auto_update_video_entitlements boolean not null default false,
  auto_remove_video_entitlements boolean not null default false,
  marketplace_ids jsonb not null default '{}'::jsonb,
  content_rule_profile_id text,
  playlist_item_count integer not null default 0,
  related_video_ids text[] not null default '{}'::text[],
  images jsonb not null default '[]'::jsonb,
  thumbnails jsonb not null default '[]'::jsonb,
  search tsvector generated always as (search_words(title, keywords, ''::text)) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  filled_by jsonpath generated always as (filling_path(playlist_type, match_type, categories)) stored,
  custom_thumbnail_facts jsonb,
  constraint playlists_pkey PRIMARY KEY (site_id, _id),
  constraint playlists_site_id_content_rule_profile_id_fkey FOREIGN KEY (site_id, content_rule_profile_id) REFERENCES content_rule_profiles(site_id, _id),
  constraint playlists_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint playlists_site_id_parent_id_fkey FOREIGN KEY (site_id, parent_id) REFERENCES playlists(site_id, _id),
  constraint playlists_match_type_check CHECK ((match_type = ANY (ARRAY['any'::text, 'all'::text]))),
  constraint playlists_playlist_type_check CHECK ((playlist_type = ANY (ARRAY['manual'::text, 'category'::text])))
);

CREATE INDEX playlists_by_content_rule_profile ON public.playlists USING btree (site_id, content_rule_profile_id) WHERE (content_rule_profile_id IS NOT NULL);
CREATE INDEX playlists_by_creation ON public.playlists USING btree (site_id, created_at, _id);
CREATE UNIQUE INDEX playlists_by_friendly_title ON public.playlists USING btree (site_id, friendly_title);
CREATE INDEX playlists_by_parent ON public.playlists USING btree (site_id, parent_id, priority);
CREATE INDEX playlists_filled ON public.playlists USING btree (site_id) WHERE (filled_by IS NOT NULL);

-- trigger playlists_thumbnails: before insert or update, each row, keep_playlist_thumbnails()
-- trigger playlists_history: after insert or update or delete, each row, note_change()
-- trigger playlists_images: after delete, each statement, remove_images()
-- trigger playlists_removed: after delete, each statement, note_removed_playlists()

create table plays (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  video_id text collate "C" not null,
  date timestamp(3) with time zone not null,
  device text not null,
  plays integer not null default 0,
  finished integer not null default 0,
  watched_seconds bigint not null default 0,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint plays_pkey PRIMARY KEY (site_id, _id),
  constraint plays_once UNIQUE (site_id, video_id, date, device),
  constraint plays_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE
) with (fillfactor=90);

CREATE INDEX plays_by_date ON public.plays USING btree (site_id, date, _id);

create table program_guide_entries (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  program_guide_id text collate "C" not null,
  title text collate "C" not null,
  subtitle text,
  description text,
  category text[] not null default '{}'::text[],
  duration integer not null,
  start_time timestamp(3) with time zone not null,
  end_time timestamp(3) with time zone not null,
  start_time_with_offset text not null,
  end_time_with_offset text not null,
  time_zone text not null,
  search tsvector generated always as (to_tsvector('simple'::regconfig, regexp_replace(title, '[^[:alnum:]]+'::text, ' '::text, 'g'::text))) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint program_guide_entries_pkey PRIMARY KEY (site_id, _id),
  constraint program_guide_entries_site_id_program_guide_id_start_time_key UNIQUE (site_id, program_guide_id, start_time),
  constraint program_guide_entries_site_id_program_guide_id_fkey FOREIGN KEY (site_id, program_guide_id) REFERENCES program_guides(site_id, _id) ON DELETE CASCADE
);

create table program_guides (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  name text collate "C" not null,
  url text not null,
  channel text,
  language text[] not null default '{}'::text[],
  time_zone text not null,
  video_ids text[] not null default '{}'::text[],
  status text not null default 'created'::text,
  status_reason text,
  program_guide_entry_count integer not null default 0,
  refreshed_at timestamp(3) with time zone,
  refresh_at timestamp(3) with time zone not null default now(),
  search tsvector generated always as (to_tsvector('simple'::regconfig, regexp_replace(name, '[^[:alnum:]]+'::text, ' '::text, 'g'::text))) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint program_guides_pkey PRIMARY KEY (site_id, _id),
  constraint program_guides_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint program_guides_status_check CHECK ((status = ANY (ARRAY['created'::text, 'synced'::text, 'failed'::text])))
);

CREATE INDEX program_guides_by_creation ON public.program_guides USING btree (site_id, created_at, _id);
CREATE INDEX program_guides_by_video ON public.program_guides USING gin (site_id, video_ids) WHERE (video_ids <> '{}'::text[]);
CREATE INDEX program_guides_due ON public.program_guides USING btree (refresh_at);

-- trigger program_guides_history: after insert or update or delete, each row, note_change()

create table publisher_addresses (
  publisher_id text collate "C" not null,
  digest bytea not null,
  seen_at timestamp(3) with time zone not null default now(),
  constraint publisher_addresses_pkey PRIMARY KEY (publisher_id, digest),
  constraint publisher_addresses_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(_id) ON DELETE CASCADE
);

create table publisher_identities (
  issuer text not null,
  subject text not null,
  publisher_id text collate "C" not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint publisher_identities_pkey PRIMARY KEY (issuer, subject),
  constraint publisher_identities_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(_id) ON DELETE CASCADE
);

CREATE INDEX publisher_identities_of_publisher ON public.publisher_identities USING btree (publisher_id);

create table publisher_recovery_codes (
  publisher_id text collate "C" not null,
  digest bytea not null,
  constraint publisher_recovery_codes_pkey PRIMARY KEY (publisher_id, digest),
  constraint publisher_recovery_codes_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(_id) ON DELETE CASCADE
);

create table publisher_sessions (
  _id text collate "C" not null,
  publisher_id text collate "C" not null,
  digest bytea not null,
  address text not null,
  browser text not null,
  created_at timestamp(3) with time zone not null default now(),
  used_at timestamp(3) with time zone not null default now(),
  confirmed_at timestamp(3) with time zone not null default now(),
  expires_at timestamp(3) with time zone not null,
  ends_at timestamp(3) with time zone not null,
  constraint publisher_sessions_pkey PRIMARY KEY (_id),
  constraint publisher_sessions_digest_key UNIQUE (digest),
  constraint publisher_sessions_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(_id) ON DELETE CASCADE
);

CREATE INDEX publisher_sessions_of_publisher ON public.publisher_sessions USING btree (publisher_id);

-- trigger publisher_sessions_history: after insert, each row, note_publisher()

create table publishers (
  _id text collate "C" not null,
  email text not null,
  password_hash text,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  password_changed_at timestamp(3) with time zone not null default now(),
  totp_secret bytea,
  totp_enabled_at timestamp(3) with time zone,
  totp_step bigint not null default 0,
  first_name text collate "C",
  last_name text collate "C",
  name text generated always as (NULLIF(btrim(((COALESCE(first_name, ''::text) || ' '::text) || COALESCE(last_name, ''::text))), ''::text)) stored,
  phone_number text,
  time_zone text,
  notifications_enabled boolean not null default true,
  sign_in_count integer not null default 0,
  current_sign_in_at timestamp(3) with time zone,
  current_sign_in_ip text,
  last_sign_in_at timestamp(3) with time zone,
  last_sign_in_ip text,
  constraint publishers_pkey PRIMARY KEY (_id)
);

CREATE UNIQUE INDEX publishers_by_email ON public.publishers USING btree (lower(email));

create table redemption_codes (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  code text collate "C" not null,
  nice_code text not null generated always as (rtrim(regexp_replace(code, '(.{4})'::text, '\1-'::text, 'g'::text), '-'::text)) stored,
  video_id text collate "C",
  playlist_id text collate "C",
  plan_id text collate "C",
  pass_plan_id text collate "C",
  content_type text not null generated always as (
CASE
    WHEN (video_id IS NOT NULL) THEN 'video'::text
    WHEN (playlist_id IS NOT NULL) THEN 'playlist'::text
    WHEN (plan_id IS NOT NULL) THEN 'plan'::text
    ELSE 'pass_plan'::text
END) stored,
  content_title text,
  expiration_date timestamp(3) with time zone,
  redeemed boolean not null generated always as ((redeemed_at IS NOT NULL)) stored,
  redeemed_at timestamp(3) with time zone,
  consumer_id text collate "C",
  transaction_id text collate "C",
  subscription_id text collate "C",
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  search tsvector generated always as (words_of(VARIADIC ARRAY[code, regexp_replace(code, '(.{4})'::text, '\1 '::text, 'g'::text), content_title])) stored,
  constraint redemption_codes_pkey PRIMARY KEY (site_id, _id),
  constraint redemption_codes_taken UNIQUE (site_id, code),
  constraint redemption_codes_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint redemption_codes_site_id_pass_plan_id_fkey FOREIGN KEY (site_id, pass_plan_id) REFERENCES pass_plans(site_id, _id) DEFERRABLE INITIALLY DEFERRED,
  constraint redemption_codes_site_id_plan_id_fkey FOREIGN KEY (site_id, plan_id) REFERENCES plans(site_id, _id) DEFERRABLE INITIALLY DEFERRED,
  constraint redemption_codes_site_id_playlist_id_fkey FOREIGN KEY (site_id, playlist_id) REFERENCES playlists(site_id, _id) ON DELETE CASCADE,
  constraint redemption_codes_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE,
  constraint redemption_codes_open_one_thing CHECK ((num_nonnulls(video_id, playlist_id, plan_id, pass_plan_id) = 1))
);

CREATE INDEX redemption_codes_by_creation ON public.redemption_codes USING btree (site_id, created_at, _id);
CREATE INDEX redemption_codes_by_words ON public.redemption_codes USING gin (site_id, search);
CREATE INDEX redemption_codes_of_pass_plan ON public.redemption_codes USING btree (site_id, pass_plan_id) WHERE (pass_plan_id IS NOT NULL);
CREATE INDEX redemption_codes_of_plan ON public.redemption_codes USING btree (site_id, plan_id) WHERE (plan_id IS NOT NULL);
CREATE INDEX redemption_codes_of_playlist ON public.redemption_codes USING btree (site_id, playlist_id) WHERE (playlist_id IS NOT NULL);
CREATE INDEX redemption_codes_of_video ON public.redemption_codes USING btree (site_id, video_id) WHERE (video_id IS NOT NULL);

-- trigger redemption_codes_history: after insert or update or delete, each row, note_change()

create table related_videos (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  video_id text collate "C" not null,
  linked_video_id text collate "C" not null,
  source text,
  source_id text,
  "group" text,
  place bigint not null generated always as identity,
  constraint related_videos_pkey PRIMARY KEY (site_id, _id),
  constraint related_videos_site_id_linked_video_id_fkey FOREIGN KEY (site_id, linked_video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE,
  constraint related_videos_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE
);

CREATE INDEX related_videos_by_linked ON public.related_videos USING btree (site_id, linked_video_id);
CREATE INDEX related_videos_of_video ON public.related_videos USING btree (site_id, video_id, place);

create table removed_playlists (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  xact xid8 not null default pg_current_xact_id(),
  step smallint not null,
  constraint removed_playlists_pkey PRIMARY KEY (site_id, _id),
  constraint removed_playlists_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE
);

create table request_log (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  method text not null,
  path text not null,
  status smallint not null,
  ms integer not null,
  credential text not null,
  request_id text not null,
  constraint request_log_pkey PRIMARY KEY (site_id, _id),
  constraint request_log_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE
);

CREATE INDEX request_log_by_age ON public.request_log USING btree (created_at);

create table revenue_models (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  name text not null,
  description text not null,
  search tsvector generated always as (to_tsvector('simple'::regconfig, regexp_replace(name, '[^[:alnum:]]+'::text, ' '::text, 'g'::text))) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint revenue_models_pkey PRIMARY KEY (site_id, _id),
  constraint revenue_models_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE
);

create table saved_views (
  _id text collate "C" not null,
  publisher_id text collate "C" not null,
  site_id text collate "C" not null,
  page text not null,
  name text not null,
  state jsonb not null,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint saved_views_pkey PRIMARY KEY (_id),
  constraint saved_views_publisher_id_site_id_page_name_key UNIQUE (publisher_id, site_id, page, name),
  constraint saved_views_publisher_id_site_id_fkey FOREIGN KEY (publisher_id, site_id) REFERENCES memberships(publisher_id, site_id) ON DELETE CASCADE
);

create table segments (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  video_id text collate "C" not null,
  description text not null,
  start integer not null,
  "end" integer,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint segments_pkey PRIMARY KEY (site_id, _id),
  constraint segments_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE,
  constraint segments_check CHECK (("end" > start)),
  constraint segments_start_check CHECK ((start >= 0))
);

CREATE INDEX segments_of_video ON public.segments USING btree (site_id, video_id, start, _id);

-- trigger segments_history: after insert or update or delete, each row, note_change()
-- trigger segments_shown: after insert or update or delete, each row, show_segments()

create table self_hosted_sources (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  video_id text collate "C" not null,
  active boolean not null default true,
  duration integer,
  files jsonb not null default '[]'::jsonb,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint self_hosted_sources_pkey PRIMARY KEY (site_id, _id),
  constraint self_hosted_sources_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE,
  constraint self_hosted_sources_duration_check CHECK ((duration >= 0))
);

CREATE UNIQUE INDEX self_hosted_sources_active ON public.self_hosted_sources USING btree (site_id, video_id) WHERE active;
CREATE INDEX self_hosted_sources_of_video ON public.self_hosted_sources USING btree (site_id, video_id, created_at, _id);

-- trigger self_hosted_sources_followed: after insert or update or delete, each row, follow_self_hosted()
-- trigger self_hosted_sources_history: after insert or update or delete, each row, note_change()

create table sessions (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  consumer_id text collate "C" not null,
  app_id text collate "C",
  app_title text not null,
  device_id text collate "C",
  scope text not null,
  ip text,
  user_agent text,
  refreshed_at timestamp(3) with time zone not null default now(),
  expires_at timestamp(3) with time zone not null,
  ends_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint sessions_pkey PRIMARY KEY (site_id, _id),
  constraint sessions_site_id_app_id_fkey FOREIGN KEY (site_id, app_id) REFERENCES apps(site_id, _id) ON DELETE CASCADE,
  constraint sessions_site_id_consumer_id_fkey FOREIGN KEY (site_id, consumer_id) REFERENCES consumers(site_id, _id) ON DELETE CASCADE,
  constraint sessions_site_id_device_id_fkey FOREIGN KEY (site_id, device_id) REFERENCES linked_devices(site_id, _id) ON DELETE CASCADE
);

CREATE INDEX sessions_by_end ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_of_app ON public.sessions USING btree (site_id, app_id);
CREATE INDEX sessions_of_consumer ON public.sessions USING btree (site_id, consumer_id);
CREATE INDEX sessions_of_device ON public.sessions USING btree (site_id, device_id) WHERE (device_id IS NOT NULL);

-- trigger sessions_history: after insert or update or delete, each row, note_change()

create table sign_in_links (
  digest bytea not null,
  publisher_id text collate "C" not null,
  purpose text not null default 'welcome'::text,
  created_at timestamp(3) with time zone not null default now(),
  expires_at timestamp(3) with time zone not null,
  constraint sign_in_links_pkey PRIMARY KEY (digest),
  constraint sign_in_links_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(_id) ON DELETE CASCADE,
  constraint sign_in_links_purpose_check CHECK ((purpose = ANY (ARRAY['welcome'::text, 'new_password'::text])))
);

CREATE INDEX sign_in_links_by_publisher ON public.sign_in_links USING btree (publisher_id);

create table sources (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  video_id text collate "C" not null,
  file_name text,
  bytes bigint not null,
  sha256 text not null,
  facts jsonb,
  plan jsonb,
  failures integer not null default 0,
  error text,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  status text not null default 'processing'::text,
  replaced_at timestamp(3) with time zone,
  current boolean not null generated always as (((status = 'ready'::text) AND (replaced_at IS NULL))) stored,
  duration double precision generated always as (((facts ->> 'duration'::text))::double precision) stored,
  container text generated always as ((facts ->> 'container'::text)) stored,
  width integer generated always as ((((facts -> 'video'::text) ->> 'width'::text))::integer) stored,
  height integer generated always as ((((facts -> 'video'::text) ->> 'height'::text))::integer) stored,
  video_codec text generated always as (((facts -> 'video'::text) ->> 'codec'::text)) stored,
  audio_codec text generated always as (((facts -> 'audio'::text) ->> 'codec'::text)) stored,
  window_count integer generated always as (jsonb_array_length((plan -> 'windows'::text))) stored,
  rungs jsonb generated always as ((plan -> 'rungs'::text)) stored,
  notice text generated always as ((facts ->> 'audioLeftOut'::text)) stored,
  constraint sources_pkey PRIMARY KEY (site_id, _id),
  constraint sources_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE,
  constraint sources_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'ready'::text, 'failed'::text])))
);

CREATE INDEX sources_by_digest ON public.sources USING btree (site_id, sha256);
CREATE INDEX sources_by_id ON public.sources USING btree (_id);
CREATE INDEX sources_of_video ON public.sources USING btree (site_id, video_id) INCLUDE (bytes);
CREATE INDEX sources_replaced ON public.sources USING btree (replaced_at) WHERE (replaced_at IS NOT NULL);
CREATE INDEX sources_under_way ON public.sources USING btree (updated_at) WHERE ((status = 'processing'::text) AND (replaced_at IS NULL));

-- trigger sources_ended: after delete, each statement, note_ended_sources()

create table storage_move_failures (
  move_id text collate "C" not null,
  key text collate "C" not null,
  reason text not null,
  failed_at timestamp(3) with time zone not null default now(),
  constraint storage_move_failures_pkey PRIMARY KEY (move_id, key),
  constraint storage_move_failures_move_id_fkey FOREIGN KEY (move_id) REFERENCES storage_moves(_id) ON DELETE CASCADE
);

create table storage_moves (
  _id text collate "C" not null,
  from_place text not null,
  to_place text not null,
  runner text not null,
  total_objects bigint not null default 0,
  total_bytes bigint not null default 0,
  moved_objects bigint not null default 0,
  moved_bytes bigint not null default 0,
  resumed_at timestamp(3) with time zone not null default now(),
  resumed_bytes bigint not null default 0,
  begun_at timestamp(3) with time zone not null default now(),
  seen_at timestamp(3) with time zone not null default now(),
  ended_at timestamp(3) with time zone,
  constraint storage_moves_pkey PRIMARY KEY (_id)
);

CREATE UNIQUE INDEX storage_moves_running ON public.storage_moves USING btree (((ended_at IS NULL))) WHERE (ended_at IS NULL);

create table storage_users (
  _id text collate "C" not null,
  places text[] not null,
  host text not null,
  seen_at timestamp(3) with time zone not null default now(),
  constraint storage_users_pkey PRIMARY KEY (_id)
);

create table subscriptions (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  consumer_id text collate "C" not null,
  plan_id text collate "C" not null,
  plan_name text not null,
  status text not null default 'active'::text,
  start_at timestamp(3) with time zone not null default now(),
  current_period_start_at timestamp(3) with time zone not null default now(),
  current_period_end_at timestamp(3) with time zone,
  cancelled_at timestamp(3) with time zone,
  cancel_at_period_end boolean not null default false,
  trial_end timestamp(3) with time zone,
  trial_period_days integer not null default 0,
  amount numeric not null,
  currency text not null,
  "interval" text not null,
  interval_count integer not null,
  mrr numeric not null generated always as (
CASE "interval"
    WHEN 'month'::text THEN round((amount / (interval_count)::numeric), 2)
    WHEN 'year'::text THEN round(((amount / (interval_count)::numeric) / (12)::numeric), 2)
    ELSE (0)::numeric
END) stored,
  coupon_code text,
  discount_amount numeric,
  discount_percent double precision,
  discount_duration text,
  discount_duration_months integer,
  payment_provider text,
  third_party_id text,
  stripe_id text,
  braintree_id text,
  recurly_code text,
  recurly_uuid text,
  receipt_id text,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  search tsvector generated always as (words_of(VARIADIC ARRAY[plan_name, coupon_code, third_party_id, stripe_id, braintree_id, recurly_code, receipt_id])) stored,
  constraint subscriptions_pkey PRIMARY KEY (site_id, _id),
  constraint subscriptions_site_id_consumer_id_fkey FOREIGN KEY (site_id, consumer_id) REFERENCES consumers(site_id, _id) ON DELETE CASCADE,
  constraint subscriptions_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint subscriptions_site_id_plan_id_fkey FOREIGN KEY (site_id, plan_id) REFERENCES plans(site_id, _id) DEFERRABLE INITIALLY DEFERRED,
  constraint subscriptions_interval_check CHECK (("interval" = ANY (ARRAY['month'::text, 'year'::text, 'lifetime'::text]))),
  constraint subscriptions_status_check CHECK ((status = ANY (ARRAY['active'::text, 'canceled'::text, 'paused'::text])))
);

CREATE INDEX subscriptions_by_creation ON public.subscriptions USING btree (site_id, created_at, _id);
CREATE INDEX subscriptions_by_words ON public.subscriptions USING gin (site_id, search);
CREATE INDEX subscriptions_of_consumer ON public.subscriptions USING btree (site_id, consumer_id);
CREATE INDEX subscriptions_of_plan ON public.subscriptions USING btree (site_id, plan_id);

-- trigger subscriptions_history: after insert or update or delete, each row, note_change()
-- trigger subscriptions_noted: after insert or update or delete, each row, note_payment()

create table subtitle_playlists (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  video_id text collate "C" not null,
  language text not null,
  language_code text collate "C" not null,
  source_url text not null,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint subtitle_playlists_pkey PRIMARY KEY (site_id, _id),
  constraint subtitle_playlists_site_id_video_id_language_code_key UNIQUE (site_id, video_id, language_code),
  constraint subtitle_playlists_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE
);

-- trigger subtitle_playlists_history: after insert or update or delete, each row, note_change()

create table subtitle_search (
  site_id text collate "C" not null,
  _id text collate "C" not null,
  video_id text collate "C" not null,
  words tsvector not null,
  constraint subtitle_search_pkey PRIMARY KEY (site_id, _id),
  constraint subtitle_search_site_id__id_fkey FOREIGN KEY (site_id, _id) REFERENCES subtitles(site_id, _id) ON DELETE CASCADE
);

CREATE INDEX subtitle_search_by_words ON public.subtitle_search USING gin (words);
CREATE INDEX subtitle_search_of_video ON public.subtitle_search USING btree (site_id, video_id);

create table subtitles (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  video_id text collate "C" not null,
  language text not null,
  title text not null,
  active boolean not null default true,
  "default" boolean not null default false,
  forced boolean not null default false,
  extension_type text not null,
  file_file_name text,
  file_content_type text not null,
  file_file_size integer not null,
  file_fingerprint text not null,
  file_updated_at timestamp(3) with time zone not null default now(),
  url text not null,
  vtt text not null,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint subtitles_pkey PRIMARY KEY (site_id, _id),
  constraint subtitles_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE,
  constraint subtitles_extension_type_check CHECK ((extension_type = ANY (ARRAY['srt'::text, 'vtt'::text])))
);

CREATE INDEX subtitles_by_id ON public.subtitles USING btree (_id);
CREATE INDEX subtitles_of_video ON public.subtitles USING btree (site_id, video_id, created_at, _id);
CREATE UNIQUE INDEX subtitles_title_taken ON public.subtitles USING btree (site_id, video_id, title) WHERE active;

-- trigger subtitles_history: after insert or update or delete, each row, note_change()
-- trigger subtitles_searched: after insert or update, each row, search_subtitle()

create table token_pairs (
  access_digest bytea not null,
  refresh_digest bytea not null,
  site_id text collate "C" not null,
  session_id text collate "C" not null,
  issued_at timestamp(3) with time zone not null default now(),
  expires_at timestamp(3) with time zone not null,
  spent_at timestamp(3) with time zone,
  constraint token_pairs_pkey PRIMARY KEY (access_digest),
  constraint token_pairs_refresh_digest_key UNIQUE (refresh_digest),
  constraint token_pairs_site_id_session_id_fkey FOREIGN KEY (site_id, session_id) REFERENCES sessions(site_id, _id) ON DELETE CASCADE
);

CREATE INDEX token_pairs_of_session ON public.token_pairs USING btree (site_id, session_id);
CREATE INDEX token_pairs_spent ON public.token_pairs USING btree (spent_at) WHERE (spent_at IS NOT NULL);

create table transactions (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  provider text not null,
  consumer_id text collate "C" not null,
  transaction_type text not null,
  video_id text collate "C",
  playlist_id text collate "C",
  pass_plan_id text collate "C",
  amount numeric,
  currency text not null default 'USD'::text,
  description text,
  status text not null default 'authorized'::text,
  expires_at timestamp(3) with time zone,
  stripe_id text,
  braintree_id text,
  recurly_invoice_number text,
  roku_id text,
  apple_id text,
  third_party_id text,
  provider_id text generated always as (
CASE provider
    WHEN 'stripe'::text THEN stripe_id
    WHEN 'braintree'::text THEN braintree_id
    WHEN 'recurly'::text THEN recurly_invoice_number
    WHEN 'roku'::text THEN roku_id
    WHEN 'apple_tv'::text THEN apple_id
    WHEN 'third_party'::text THEN third_party_id
    ELSE NULL::text
END) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  search tsvector generated always as (words_of(VARIADIC ARRAY[description, stripe_id, braintree_id, recurly_invoice_number, roku_id, apple_id, third_party_id])) stored,
  constraint transactions_pkey PRIMARY KEY (site_id, _id),
  constraint transactions_reported_once UNIQUE (site_id, provider, provider_id),
  constraint transactions_site_id_consumer_id_fkey FOREIGN KEY (site_id, consumer_id) REFERENCES consumers(site_id, _id) ON DELETE CASCADE,
  constraint transactions_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint transactions_site_id_pass_plan_id_fkey FOREIGN KEY (site_id, pass_plan_id) REFERENCES pass_plans(site_id, _id) DEFERRABLE INITIALLY DEFERRED,
  constraint transactions_buy_one_thing CHECK ((num_nonnulls(video_id, playlist_id, pass_plan_id) = 1)),
  constraint transactions_transaction_type_check CHECK ((transaction_type = ANY (ARRAY['purchase'::text, 'rental'::text, 'pass'::text])))
);

CREATE INDEX passes_of_consumer ON public.transactions USING btree (site_id, consumer_id, expires_at) WHERE (pass_plan_id IS NOT NULL);
CREATE INDEX transactions_by_creation ON public.transactions USING btree (site_id, created_at, _id);
CREATE INDEX transactions_by_words ON public.transactions USING gin (site_id, search);
CREATE INDEX transactions_of_consumer ON public.transactions USING btree (site_id, consumer_id);
CREATE INDEX transactions_of_pass_plan ON public.transactions USING btree (site_id, pass_plan_id) WHERE (pass_plan_id IS NOT NULL);

-- trigger transactions_history: after insert or update or delete, each row, note_change()
-- trigger transactions_noted: after insert or update or delete, each row, note_payment()

create table unknown_media (
  _id text collate "C" not null,
  kind text not null,
  seen_at timestamp(3) with time zone not null default now(),
  last_seen_at timestamp(3) with time zone not null default now(),
  constraint unknown_media_pkey PRIMARY KEY (_id),
  constraint unknown_media_kind_check CHECK ((kind = ANY (ARRAY['film'::text, 'image'::text, 'piece'::text])))
);

create table unwanted_tracks (
  site_id text collate "C" not null,
  source_id text collate "C" not null,
  track text collate "C" not null,
  since timestamp(3) with time zone not null default now(),
  constraint unwanted_tracks_pkey PRIMARY KEY (source_id, track),
  constraint unwanted_tracks_site_id_source_id_fkey FOREIGN KEY (site_id, source_id) REFERENCES sources(site_id, _id) ON DELETE CASCADE
);

CREATE INDEX unwanted_tracks_by_time ON public.unwanted_tracks USING btree (since);

create table upload_tokens (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  digest bytea not null,
  video_id text collate "C",
  max_bytes bigint,
  uploads integer not null default 1,
  begun integer not null default 0,
  active boolean not null default false,
  expires_in integer not null default 3600,
  expires_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint upload_tokens_pkey PRIMARY KEY (site_id, _id),
  constraint upload_tokens_digest_key UNIQUE (digest),
  constraint upload_tokens_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE
);

CREATE INDEX upload_tokens_by_end ON public.upload_tokens USING btree (expires_at);

-- trigger upload_tokens_history: after insert or update or delete, each row, note_change()

create table uploads (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  source_id text collate "C" not null,
  video_id text collate "C",
  length bigint not null,
  file_name text not null default 'Untitled'::text,
  metadata text not null,
  expires_at timestamp(3) with time zone not null default (now() + '24:00:00'::interval),
  finished_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  "offset" bigint not null default 0,
  progress integer not null generated always as (((("offset" * 100) / length))::integer) stored,
  status text not null generated always as (
CASE
    WHEN (finished_at IS NULL) THEN 'uploading'::text
    ELSE 'finished'::text
END) stored,
  hidden boolean not null default false,
  message text,
  created_by text,
  constraint uploads_pkey PRIMARY KEY (site_id, _id),
  constraint uploads_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE
);

CREATE INDEX uploads_by_end ON public.uploads USING btree (expires_at);
CREATE UNIQUE INDEX uploads_by_id ON public.uploads USING btree (_id);
CREATE INDEX uploads_by_source ON public.uploads USING btree (source_id);
CREATE INDEX uploads_under_way ON public.uploads USING btree (site_id, video_id) WHERE (finished_at IS NULL);

-- trigger uploads_history: after insert or update or delete, each row, note_change()

create table video_content_rules (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  video_id text collate "C" not null,
  name text,
  policy text not null default 'deny'::text,
  priority integer not null default 1,
  stackable boolean not null default true,
  enabled boolean not null default true,
  geographies jsonb not null default '[]'::jsonb,
  device_ids text[] not null default '{}'::text[],
  device_category_ids text[] not null default '{}'::text[],
  domains text[] not null default '{}'::text[],
  starts_at timestamp(3) with time zone,
  ends_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint video_content_rules_pkey PRIMARY KEY (site_id, _id),
  constraint video_content_rules_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE,
  constraint video_content_rules_policy_check CHECK ((policy = ANY (ARRAY['allow'::text, 'deny'::text])))
);

CREATE INDEX video_content_rules_of_video ON public.video_content_rules USING btree (site_id, video_id, priority);

-- trigger video_content_rules_history: after insert or update or delete, each row, note_change()

create table video_entitlements (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  consumer_id text collate "C" not null,
  video_id text collate "C" not null,
  transaction_id text,
  transaction_type text,
  expires_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint video_entitlements_pkey PRIMARY KEY (site_id, _id),
  constraint video_entitlements_site_id_consumer_id_fkey FOREIGN KEY (site_id, consumer_id) REFERENCES consumers(site_id, _id) ON DELETE CASCADE,
  constraint video_entitlements_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE
);

CREATE INDEX video_entitlements_of_consumer ON public.video_entitlements USING btree (site_id, consumer_id, created_at, _id);
CREATE INDEX video_entitlements_of_video ON public.video_entitlements USING btree (site_id, video_id);
CREATE INDEX video_entitlements_to_check ON public.video_entitlements USING btree (site_id, ((consumer_id || ''::text)), ((video_id || ''::text)));

-- trigger video_entitlements_history: after insert or update or delete, each row, note_change()
-- trigger video_entitlements_given: after insert, each statement, note_entitlements_given()
-- trigger video_entitlements_taken: after delete, each statement, note_entitlements_taken()

create table video_favorites (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  consumer_id text collate "C" not null,
  video_id text collate "C" not null,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint video_favorites_pkey PRIMARY KEY (site_id, _id),
  constraint video_favorites_site_id_video_id_consumer_id_key UNIQUE (site_id, video_id, consumer_id),
  constraint video_favorites_site_id_consumer_id_fkey FOREIGN KEY (site_id, consumer_id) REFERENCES consumers(site_id, _id) ON DELETE CASCADE,
  constraint video_favorites_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE
);

CREATE INDEX video_favorites_of_consumer ON public.video_favorites USING btree (site_id, consumer_id, created_at, _id);

-- trigger video_favorites_history: after insert or update or delete, each row, note_change()

create table video_imports (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  source_url text not null,
  video_id text collate "C",
  title text collate "C" not null,
  description text,
  episode double precision,
  season double precision,
  source_id text,
  auto_add boolean not null default true,
  auto_activate boolean not null default true,
  status text not null default 'created'::text,
  status_reason text,
  progress integer,
  bytes bigint not null default 0,
  total_bytes bigint,
  attempts integer not null default 0,
  finished_at timestamp(3) with time zone,
  media_source_id text collate "C" not null,
  file_name text,
  validator text,
  failures integer not null default 0,
  held_by text,
  held_until timestamp(3) with time zone,
  started_at timestamp(3) with time zone,
  search tsvector generated always as (to_tsvector('simple'::regconfig, regexp_replace(((title || ' '::text) || COALESCE(source_id, ''::text)), '[^[:alnum:]]+'::text, ' '::text, 'g'::text))) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  video_source_id text collate "C",
  keywords text[] not null default '{}'::text[],
  published_at timestamp(3) with time zone,
  type text not null default 'url'::text,
  active boolean not null default true,
  etag text generated always as (
CASE
    WHEN (validator ~~ '"%'::text) THEN validator
    ELSE NULL::text
END) stored,
  constraint video_imports_pkey PRIMARY KEY (site_id, _id),
  constraint video_imports_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint video_imports_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE,
  constraint video_imports_site_id_video_source_id_fkey FOREIGN KEY (site_id, video_source_id) REFERENCES video_sources(site_id, _id) ON DELETE SET NULL (video_source_id),
  constraint video_imports_status_check CHECK ((status = ANY (ARRAY['created'::text, 'downloading'::text, 'ready'::text, 'failed'::text, 'cancelled'::text])))
) with (fillfactor=70);

CREATE INDEX video_imports_by_creation ON public.video_imports USING btree (site_id, created_at, _id);
CREATE INDEX video_imports_by_source ON public.video_imports USING btree (media_source_id);
CREATE INDEX video_imports_by_words ON public.video_imports USING gin (site_id, search);
CREATE INDEX video_imports_of_source ON public.video_imports USING btree (site_id, video_source_id, created_at, _id) WHERE (video_source_id IS NOT NULL);
CREATE INDEX video_imports_of_video ON public.video_imports USING btree (site_id, video_id);
CREATE INDEX video_imports_under_way ON public.video_imports USING btree (created_at) WHERE (status = ANY (ARRAY['created'::text, 'downloading'::text]));

-- trigger video_imports_history: after insert or update or delete, each row, note_change()

create table video_ratings (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  consumer_id text collate "C" not null,
  video_id text collate "C" not null,
  rating double precision not null,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint video_ratings_pkey PRIMARY KEY (site_id, _id),
  constraint video_ratings_once UNIQUE (site_id, consumer_id, video_id),
  constraint video_ratings_site_id_consumer_id_fkey FOREIGN KEY (site_id, consumer_id) REFERENCES consumers(site_id, _id) ON DELETE CASCADE,
  constraint video_ratings_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE
);

CREATE INDEX video_ratings_of_video ON public.video_ratings USING btree (site_id, video_id);

-- trigger video_ratings_counted: after insert or update or delete, each row, follow_rating()
-- trigger video_ratings_history: after insert or update or delete, each row, note_change()

create table video_requests (
  site_id text collate "C" not null,
  video_id text collate "C" not null,
  requests integer not null
);

create table video_search (
  site_id text collate "C" not null,
  _id text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  active boolean not null,
  deleted_at timestamp(3) with time zone,
  words tsvector not null,
  constraint video_search_pkey PRIMARY KEY (site_id, _id)
) with (fillfactor=90);

CREATE INDEX video_search_by_words ON public.video_search USING gin (words);

create table video_source_items (
  site_id text collate "C" not null,
  video_source_id text collate "C" not null,
  guid text collate "C" not null,
  import_id text collate "C" not null,
  video_id text collate "C",
  digest text not null,
  is_listed boolean not null default true,
  is_hidden boolean not null default false,
  added_at timestamp(3) with time zone not null default now(),
  changed_at timestamp(3) with time zone,
  is_let_go boolean not null default false,
  constraint video_source_items_pkey PRIMARY KEY (site_id, video_source_id, guid),
  constraint video_source_items_site_id_video_source_id_fkey FOREIGN KEY (site_id, video_source_id) REFERENCES video_sources(site_id, _id) ON DELETE CASCADE
);

-- trigger video_source_items_history: after delete, each row, note_change()

create table video_sources (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  type text not null,
  name text,
  url text not null,
  guid text,
  sync_interval text not null default 'daily'::text,
  auto_add boolean not null default true,
  auto_activate boolean not null default true,
  auto_deactivate boolean not null default false,
  sync_video_data_source boolean not null default true,
  import_from timestamp(3) with time zone,
  import_to timestamp(3) with time zone,
  mrss_category_values text[] not null default '{}'::text[],
  category_id text collate "C",
  status text not null default 'created'::text,
  status_reason text,
  refreshed_at timestamp(3) with time zone,
  refresh_at timestamp(3) with time zone not null default now(),
  found_count integer not null default 0,
  added_count integer not null default 0,
  changed_count integer not null default 0,
  skipped_count integer not null default 0,
  video_count integer not null default 0,
  editable boolean not null default true,
  deleteable boolean not null default true,
  revision integer not null default 0,
  reading_since timestamp(3) with time zone,
  etag text,
  last_modified text,
  failures integer not null default 0,
  search tsvector generated always as (to_tsvector('simple'::regconfig, regexp_replace(COALESCE(name, ''::text), '[^[:alnum:]]+'::text, ' '::text, 'g'::text))) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint video_sources_pkey PRIMARY KEY (site_id, _id),
  constraint video_sources_site_id_category_id_fkey FOREIGN KEY (site_id, category_id) REFERENCES categories(site_id, _id) ON DELETE SET NULL (category_id),
  constraint video_sources_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint video_sources_status_check CHECK ((status = ANY (ARRAY['created'::text, 'ready'::text, 'failed'::text]))),
  constraint video_sources_sync_interval_check CHECK ((sync_interval = ANY (ARRAY['hourly'::text, 'daily'::text]))),
  constraint video_sources_type_check CHECK ((type = 'mrss'::text))
);

CREATE INDEX video_sources_by_creation ON public.video_sources USING btree (site_id, created_at, _id);
CREATE INDEX video_sources_due ON public.video_sources USING btree (refresh_at);
CREATE INDEX video_sources_of_category ON public.video_sources USING btree (site_id, category_id) WHERE (category_id IS NOT NULL);

-- trigger video_sources_history: after insert or update or delete, each row, note_change()

create table videos (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  title text collate "C" not null,
  friendly_title text not null,
  internal_title text,
  description text,
  short_description text,
  keywords text[] not null default '{}'::text[],
  active boolean not null default true,
  enable_at timestamp(3) with time zone,
  disable_at timestamp(3) with time zone,
  switches_at timestamp(3) with time zone,
  published_at timestamp(3) with time zone not null default now(),
  featured boolean not null default false,
  mature_content boolean not null default false,
  parental_guidelines_rating text,
  country text,
  language text,
  genre text,
  episode double precision,
  season double precision,
  series_id text,
  source_id text,
  foreign_id text,
  youtube_id text,
  vimeo_id text,
  hulu_id text,
  crunchyroll_id text,
  kaltura_id text,
  mrss_id text,
  discovery_url text,
  custom_thumbnail_url text,
  live_event boolean not null default false,
  on_air boolean not null default false,
  on_air_at timestamp(3) with time zone,
  off_air_at timestamp(3) with time zone,
  subscription_required boolean not null default false,
  pass_required boolean not null default false,
  purchase_required boolean not null default false,
  purchase_price numeric,
  rental_required boolean not null default false,
  rental_price numeric,
  rental_duration integer,
  registration_required boolean not null default false,
  redemption_code_required boolean not null default false,
  subscription_ads_enabled boolean not null default true,
  marketplace_ids jsonb not null default '{}'::jsonb,
  preview_ids text[] not null default '{}'::text[],
  custom_attributes jsonb not null default '{}'::jsonb,
  transcriptions_enabled boolean not null default false,
  translations_enabled boolean not null default false,
  playout_ad boolean not null default false,
  playout_bumper boolean not null default false,
  playout_slate boolean not null default false,
  status text not null default 'created'::text,
  status_reason text,
  playable_at timestamp(3) with time zone,
  complete_at timestamp(3) with time zone,
  transcoded boolean not null default false,
  duration integer,
  precise_duration double precision,
  rating double precision,
  request_count integer not null default 0,
  categories jsonb not null default '[]'::jsonb,
  thumbnails jsonb not null default '[]'::jsonb,
  images jsonb not null default '[]'::jsonb,
  renditions jsonb not null default '[]'::jsonb,
  data_sources jsonb not null default '[]'::jsonb,
  segments jsonb not null default '[]'::jsonb,
  video_zobjects jsonb not null default '[]'::jsonb,
  zobject_ids text[] not null default '{}'::text[],
  related_playlist_ids text[] not null default '{}'::text[],
  video_source_types text[] not null default '{}'::text[],
  content_rule_profile_id text,
  status_before_removal text,
  record text not null,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  deleted_at timestamp(3) with time zone,
  media_source_id text collate "C",
  source_url text,
  formats jsonb not null default '{}'::jsonb,
  preview_url text,
  poster_seconds double precision,
  poster_image_id text collate "C",
  pending_source_id text collate "C",
  rating_count integer not null default 0,
  rating_sum numeric not null default 0,
  created_by text,
  custom_thumbnail_facts jsonb,
  constraint videos_pkey PRIMARY KEY (site_id, _id),
  constraint videos_site_id_content_rule_profile_id_fkey FOREIGN KEY (site_id, content_rule_profile_id) REFERENCES content_rule_profiles(site_id, _id),
  constraint videos_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint one_poster CHECK (((poster_seconds IS NULL) OR (poster_image_id IS NULL))),
  constraint videos_status_check CHECK ((status = ANY (ARRAY['created'::text, 'uploading'::text, 'processing'::text, 'ready'::text, 'failed'::text, 'deleted'::text]))),
  constraint videos_status_deleted CHECK (((status = 'deleted'::text) = (deleted_at IS NOT NULL)))
) with (toast_tuple_target=4080);

CREATE INDEX videos_active_by_creation ON public.videos USING btree (site_id, created_at, _id) WHERE ((deleted_at IS NULL) AND active);
CREATE INDEX videos_by_content_rule_profile ON public.videos USING btree (site_id, content_rule_profile_id) WHERE (content_rule_profile_id IS NOT NULL);
CREATE INDEX videos_by_creation ON public.videos USING btree (site_id, created_at, _id) WHERE (deleted_at IS NULL);
CREATE INDEX videos_by_crunchyroll_id ON public.videos USING btree (site_id, crunchyroll_id) WHERE ((crunchyroll_id IS NOT NULL) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX videos_by_friendly_title ON public.videos USING btree (site_id, friendly_title) WHERE (deleted_at IS NULL);
CREATE INDEX videos_by_genre ON public.videos USING btree (site_id, genre, created_at, _id) INCLUDE (active) WHERE ((genre IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX videos_by_hulu_id ON public.videos USING btree (site_id, hulu_id) WHERE ((hulu_id IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX videos_by_id ON public.videos USING btree (_id) WHERE (active AND (deleted_at IS NULL));
CREATE INDEX videos_by_keyword ON public.videos USING gin (site_id, keywords) WHERE (keywords <> '{}'::text[]);
CREATE INDEX videos_by_lists ON public.videos USING gin (site_id, categories jsonb_path_ops, zobject_ids, related_playlist_ids, preview_ids) WITH (gin_pending_list_limit='512') WHERE ((categories <> '[]'::jsonb) OR (zobject_ids <> '{}'::text[]) OR (related_playlist_ids <> '{}'::text[]) OR (preview_ids <> '{}'::text[]));
CREATE INDEX videos_by_poster_image ON public.videos USING btree (poster_image_id) WHERE (poster_image_id IS NOT NULL);
CREATE INDEX videos_by_publication ON public.videos USING btree (site_id, published_at, _id) INCLUDE (active) WHERE (deleted_at IS NULL);
CREATE INDEX videos_by_series ON public.videos USING btree (site_id, series_id, created_at, _id) INCLUDE (active) WHERE ((series_id IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX videos_by_source_id ON public.videos USING btree (site_id, source_id) WHERE ((source_id IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX videos_by_status ON public.videos USING btree (status, site_id, updated_at) WHERE ((status = ANY (ARRAY['uploading'::text, 'processing'::text, 'failed'::text])) AND (deleted_at IS NULL));
CREATE INDEX videos_by_title ON public.videos USING btree (site_id, title, _id) INCLUDE (active) WHERE (deleted_at IS NULL);
CREATE INDEX videos_by_update ON public.videos USING btree (site_id, updated_at, _id) INCLUDE (active) WHERE (deleted_at IS NULL);
CREATE INDEX videos_by_vimeo_id ON public.videos USING btree (site_id, vimeo_id) WHERE ((vimeo_id IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX videos_by_youtube_id ON public.videos USING btree (site_id, youtube_id) WHERE ((youtube_id IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX videos_ending ON public.videos USING btree (site_id, disable_at) WHERE ((disable_at IS NOT NULL) AND active AND (deleted_at IS NULL));
CREATE INDEX videos_featured ON public.videos USING btree (site_id, created_at, _id) INCLUDE (active) WHERE (featured AND (deleted_at IS NULL));
CREATE INDEX videos_incomplete ON public.videos USING btree (updated_at) WHERE ((status = ANY (ARRAY['ready'::text, 'processing'::text])) AND (complete_at IS NULL) AND (media_source_id IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX videos_live ON public.videos USING btree (site_id, created_at, _id) INCLUDE (active) WHERE (live_event AND (deleted_at IS NULL));
CREATE INDEX videos_mature ON public.videos USING btree (site_id, created_at, _id) INCLUDE (active) WHERE (mature_content AND (deleted_at IS NULL));
CREATE INDEX videos_on_air ON public.videos USING btree (site_id, created_at, _id) INCLUDE (active) WHERE (on_air AND (deleted_at IS NULL));
CREATE INDEX videos_to_purge ON public.videos USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX videos_to_switch ON public.videos USING btree (switches_at) WHERE ((switches_at IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX videos_with_pending ON public.videos USING btree (pending_source_id) WHERE (pending_source_id IS NOT NULL);

-- trigger videos_filed: before insert, each row, follow_categories()
-- trigger videos_refiled: before update, each row, follow_categories()
-- trigger videos_sourced: before update, each row, follow_sources()
-- trigger videos_written: before insert or update, each row, keep_video_record()
-- trigger videos_not_kept: before delete, each statement, keep_nothing()
-- trigger videos_ad_timings: after update, each row, move_ad_timings()
-- trigger videos_history: after insert or update or delete, each row, note_change()
-- trigger videos_in_playlists: after update, each row, follow_video_in_playlists()
-- trigger videos_inserted: after insert, each row, note_list_insert()
-- trigger videos_poster_replaced: after update, each row, note_replaced_poster()
-- trigger videos_searched: after insert, each row, search_new_video()
-- trigger videos_searched_state: after update, each row, search_changed_state()
-- trigger videos_searched_words: after update, each row, search_changed_words()
-- trigger videos_told: after update, each row, tell_of_media()
-- trigger videos_updated: after update, each row, note_list_update()
-- trigger videos_deleted: after delete, each statement, note_list_delete()
-- trigger videos_images: after delete, each statement, remove_images()
-- trigger videos_posters_ended: after delete, each statement, note_ended_posters()
-- trigger videos_unguided: after delete, each statement, forget_guided_videos()
-- trigger videos_unsearched: after delete, each statement, forget_searched()

create table webhook_deliveries (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  webhook_id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  status text not null default 'waiting'::text,
  attempt_count integer not null default 0,
  next_attempt_at timestamp(3) with time zone,
  response_status integer,
  milliseconds integer,
  error text,
  delivered_at timestamp(3) with time zone,
  attempts jsonb not null default '[]'::jsonb,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint webhook_deliveries_pkey PRIMARY KEY (site_id, webhook_id, _id),
  constraint webhook_deliveries_site_id_webhook_id_fkey FOREIGN KEY (site_id, webhook_id) REFERENCES webhooks(site_id, _id) ON DELETE CASCADE,
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text])))
) with (fillfactor=80);

CREATE INDEX webhook_deliveries_by_time ON public.webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_of_webhook ON public.webhook_deliveries USING btree (site_id, webhook_id, created_at, _id);
CREATE INDEX webhook_deliveries_waiting ON public.webhook_deliveries USING btree (site_id, webhook_id, next_attempt_at) WHERE (status = 'waiting'::text);

create table webhooks (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  url text not null,
  host text generated always as (rtrim(lower("substring"(url, '^[a-zA-Z]+://(\[[^]]*\]|[^/?#:]+)'::text)), '.'::text)) stored,
  events text[] not null default '{}'::text[],
  description text,
  active boolean not null default true,
  failing_since timestamp(3) with time zone,
  failing_days integer not null default 0,
  last_failed_on date,
  switched_off_reason text,
  last_delivered_at timestamp(3) with time zone,
  sealed_secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint webhooks_pkey PRIMARY KEY (site_id, _id),
  constraint webhooks_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE,
  constraint webhooks_events_check CHECK ((events <> '{}'::text[]))
);

-- trigger webhooks_history: after insert or update or delete, each row, note_change()

create table words_to_learn (
  site_id text collate "C" not null,
  video_id text collate "C" not null
);

CREATE INDEX words_to_learn_of_channel ON public.words_to_learn USING btree (site_id);

create table workers (
  _id text collate "C" not null,
  runners text[] not null,
  makes_windows boolean not null,
  seen_at timestamp(3) with time zone not null default now(),
  constraint workers_pkey PRIMARY KEY (_id)
);

create table zobject_playlists (
  site_id text collate "C" not null,
  zobject_id text collate "C" not null,
  playlist_id text collate "C" not null,
  place bigint not null generated always as identity,
  constraint zobject_playlists_pkey PRIMARY KEY (site_id, zobject_id, playlist_id),
  constraint zobject_playlists_site_id_playlist_id_fkey FOREIGN KEY (site_id, playlist_id) REFERENCES playlists(site_id, _id) ON DELETE CASCADE,
  constraint zobject_playlists_site_id_zobject_id_fkey FOREIGN KEY (site_id, zobject_id) REFERENCES zobjects(site_id, _id) ON DELETE CASCADE
);

CREATE INDEX zobject_playlists_of_playlist ON public.zobject_playlists USING btree (site_id, playlist_id);

-- trigger zobject_playlists_history: after delete, each row, note_change()
-- trigger zobject_playlists_added: after insert, each statement, follow_zobject_playlists()
-- trigger zobject_playlists_removed: after delete, each statement, follow_zobject_playlists()

create table zobject_types (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  title text collate "C" not null,
  description text,
  videos_enabled boolean not null default true,
  playlists_enabled boolean not null default true,
  zobject_count integer not null default 0,
  zobject_attributes jsonb not null default '[]'::jsonb,
  search tsvector generated always as (to_tsvector('simple'::regconfig, regexp_replace(title, '[^[:alnum:]]+'::text, ' '::text, 'g'::text))) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint zobject_types_pkey PRIMARY KEY (site_id, _id),
  constraint zobject_types_site_id_title_key UNIQUE (site_id, title),
  constraint zobject_types_site_id_fkey FOREIGN KEY (site_id) REFERENCES channels(_id) ON DELETE CASCADE
);

-- trigger zobject_types_history: after insert or update or delete, each row, note_change()

create table zobject_videos (
  site_id text collate "C" not null,
  zobject_id text collate "C" not null,
  video_id text collate "C" not null,
  place bigint not null generated always as identity,
  constraint zobject_videos_pkey PRIMARY KEY (site_id, zobject_id, video_id),
  constraint zobject_videos_site_id_video_id_fkey FOREIGN KEY (site_id, video_id) REFERENCES videos(site_id, _id) ON DELETE CASCADE,
  constraint zobject_videos_site_id_zobject_id_fkey FOREIGN KEY (site_id, zobject_id) REFERENCES zobjects(site_id, _id) ON DELETE CASCADE
);

CREATE INDEX zobject_videos_of_video ON public.zobject_videos USING btree (site_id, video_id);

-- trigger zobject_videos_history: after delete, each row, note_change()
-- trigger zobject_videos_added: after insert, each statement, follow_zobject_videos()
-- trigger zobject_videos_removed: after delete, each statement, follow_zobject_videos()

create table zobjects (
  _id text collate "C" not null,
  site_id text collate "C" not null,
  zobject_type text collate "C" not null,
  zobject_type_id text collate "C" not null,
  zobject_type_title text not null default ''::text,
  title text collate "C" not null,
  friendly_title text not null,
  description text,
  active boolean not null default false,
  keywords text[] not null default '{}'::text[],
  video_ids text[] not null default '{}'::text[],
  pictures jsonb not null default '[]'::jsonb,
  custom jsonb not null default '{}'::jsonb,
  search tsvector generated always as (search_words(title, keywords, NULL::text)) stored,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  playlist_ids text[] not null default '{}'::text[],
  constraint zobjects_pkey PRIMARY KEY (site_id, _id),
  constraint zobjects_site_id_zobject_type_fkey FOREIGN KEY (site_id, zobject_type) REFERENCES zobject_types(site_id, title) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint zobjects_site_id_zobject_type_id_fkey FOREIGN KEY (site_id, zobject_type_id) REFERENCES zobject_types(site_id, _id) ON DELETE CASCADE
);

CREATE INDEX zobjects_by_attribute ON public.zobjects USING gin (site_id, custom jsonb_path_ops);
CREATE UNIQUE INDEX zobjects_by_friendly_title ON public.zobjects USING btree (site_id, zobject_type_id, friendly_title);
CREATE INDEX zobjects_by_playlist ON public.zobjects USING gin (site_id, playlist_ids) WHERE (playlist_ids <> '{}'::text[]);
CREATE INDEX zobjects_by_title_of_type ON public.zobjects USING btree (site_id, zobject_type_id, title, _id);
CREATE INDEX zobjects_by_video ON public.zobjects USING gin (site_id, video_ids) WHERE (video_ids <> '{}'::text[]);
CREATE INDEX zobjects_by_words ON public.zobjects USING gin (site_id, search);
CREATE INDEX zobjects_of_type ON public.zobjects USING btree (site_id, zobject_type_id, created_at, _id);
CREATE INDEX zobjects_of_type_title ON public.zobjects USING btree (site_id, zobject_type);

-- trigger zobjects_named: before insert or update, each row, name_zobject_type()
-- trigger zobjects_history: after insert or update or delete, each row, note_change()
-- trigger zobjects_counted_in: after insert, each statement, count_zobjects()
-- trigger zobjects_counted_out: after delete, each statement, count_zobjects()
-- trigger zobjects_followed: after update, each statement, follow_zobjects()
-- trigger zobjects_images: after delete, each statement, remove_images()

-- functions/attempts.sql

-- Limits on guessing, as leaky buckets in the table `attempts` (schema/03-lists.sql). Shares and spans are in seconds.

-- Returns the seconds until every bucket has room for an attempt, or 0. It neither locks nor writes.
create or replace function attempts_wait(keys bytea[], shares double precision[], spans double precision[])
returns integer language sql
return coalesce((
  select greatest(0, ceil(extract(epoch from max(
    kept.forgotten_at + make_interval(secs => given.share - given.span) - clock_timestamp()
  ))))
  from unnest(keys, shares, spans) as given (key, share, span) join attempts as kept on kept.key = given.key
), 0);

-- Takes one attempt from every bucket, or from none. Returns 0, or the seconds until there is room. Rows are locked in
-- the order of their keys, to avoid deadlock.
create or replace function take_attempt(keys bytea[], shares double precision[], spans double precision[])
returns integer language plpgsql as $$
declare
  moment timestamptz;
  wait   integer;
  bucket record;
  refused boolean;
begin
  loop
    moment := clock_timestamp();
    -- Check first: a refused caller neither locks nor writes, so repeated attempts are cheap and do not prolong the
    -- wait.
    wait := attempts_wait(keys, shares, spans);
    if wait > 0 then
      return wait;
    end if;

    refused := false;
    for bucket in
      select given.key, make_interval(secs => given.share) as share, make_interval(secs => given.span) as span
      from unnest(keys, shares, spans) as given (key, share, span) order by given.key
    loop
      insert into attempts as kept (key, forgotten_at) values (bucket.key, moment + bucket.share)
      on conflict (key) do update set forgotten_at = greatest(kept.forgotten_at, moment) + bucket.share
      where greatest(kept.forgotten_at, moment) + bucket.share <= moment + bucket.span;
      refused := not found;
      exit when refused;
    end loop;
    if not refused then
      return 0;
    end if;

    -- Another caller took the last attempt after the check. Return what was taken from earlier buckets, and check
    -- again.
    update attempts as kept set forgotten_at = kept.forgotten_at - make_interval(secs => given.share)
    from unnest(keys, shares) as given (key, share)
    where kept.key = given.key and given.key < bucket.key;
  end loop;
end $$;

-- Returns an attempt that turned out to be no failure.
create or replace function give_attempt_back(keys bytea[], shares double precision[]) returns void
language plpgsql as $$
declare
  bucket record;
begin
  for bucket in
    select given.key, make_interval(secs => given.share) as share
    from unnest(keys, shares) as given (key, share) order by given.key
  loop
    update attempts set forgotten_at = forgotten_at - bucket.share where key = bucket.key;
  end loop;
end $$;

-- functions/categories.sql

-- Updates what videos and playlists store about categories when a category changes.

-- The ids in videos.categories.
create or replace function category_ids_in(entries jsonb) returns text[]
language sql immutable parallel safe
return array(select entry ->> 'category_id' from jsonb_array_elements(entries) as entry);

-- Returns the values that still exist, in the given order and without duplicates. Renamed ones get their new names.
create or replace function kept_values(given jsonb, kept text[], renamed jsonb) returns jsonb
language sql immutable parallel safe
return (
  select coalesce(jsonb_agg(value order by place), '[]') from (
    select value, min(place) as place from (
      select case when old = any(kept) then old else renamed ->> old end as value, place
      from jsonb_array_elements_text(given) with ordinality as listed (old, place)
    ) as now_called
    where value = any(kept) group by value
  ) as found
);

-- Returns a list of categories with current titles and values, and without removed categories.
create or replace function followed_categories(of_site text, entries jsonb) returns jsonb
language sql stable
return (
  select coalesce(jsonb_agg(
    entry
    || jsonb_build_object('title', title, 'value', kept_values(entry -> 'value', values, renamed))
    || case when entry ? 'exclude_values'
         then jsonb_build_object('exclude_values', kept_values(entry -> 'exclude_values', values, renamed))
         else '{}' end
    order by place
  ), '[]')
  from jsonb_array_elements(entries) with ordinality as listed (entry, place)
  join categories on categories.site_id = of_site and categories._id = entry ->> 'category_id'
);

-- Returns the rules of a playlist with current titles and values. A rule whose category or values were all removed
-- matches no video. Where all rules must match, it is kept, so that removing a category does not add videos to the
-- playlist.
create or replace function followed_rules(of_site text, match_type text, rules jsonb) returns jsonb
language sql stable
return (
  select coalesce(jsonb_agg(case when followed is null then rule else followed end order by place), '[]')
  from jsonb_array_elements(rules) with ordinality as listed (rule, place)
  cross join lateral (select followed_categories(of_site, jsonb_build_array(rule)) -> 0) as now_is (now_so)
  cross join lateral (
    select case when rule -> 'value' = '[]' or now_so -> 'value' <> '[]' then now_so end
  ) as tried (followed)
  where followed is not null or match_type = 'all'
);

-- Updates the playlists and the next batch of videos that have a category. Returns the last id if there may be more. It
-- can be repeated, because the result depends only on the current categories. It shares the lock of playlists, so that
-- their rules do not change meanwhile.
create or replace function follow_category(of_site text, of_category text, after text, batch integer) returns text
language plpgsql as $$
declare
  ids text[];
begin
  perform share_playlists(of_site);
  update playlists set categories = followed_rules(site_id, match_type, categories), updated_at = now()
  where after = '' and site_id = of_site
    and categories @> jsonb_build_array(jsonb_build_object('category_id', of_category));
  ids := array(
    select _id from videos
    where site_id = of_site and _id > after and categories <> '[]'
      and categories @> jsonb_build_array(jsonb_build_object('category_id', of_category))
    order by _id limit batch for update
  );
  update videos set categories = followed_categories(site_id, categories), updated_at = now()
  where site_id = of_site and _id = any(ids)
    and categories is distinct from followed_categories(site_id, categories);
  return case when cardinality(ids) = batch then ids[batch] end;
end $$;

-- functions/channels.sql

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

-- functions/history.sql

-- The history: one row for each change of a record, written by note_change() in the transaction of the change. Events,
-- versions of videos and deleted rows that can come back are all read from it: docs/decisions/0060-one-history.md.

-- Which write of a batch this is; 0 outside of batches. api/inner-writes.ts sets it.
create or replace function current_step() returns smallint language sql stable
return coalesce(nullif(current_setting('zoetrope.step', true), '')::smallint, 0);

-- Who makes the changes of this transaction: see db/acting-as.ts.
create or replace function current_actor() returns text language sql stable
return coalesce(nullif(current_setting('zoetrope.actor', true), ''), 'system');

-- The name of a person or of a named key, by an actor such as `editor 65f0…`.
create or replace function name_of_actor(of_site text, actor text) returns text language plpgsql stable as $$
begin
  if actor not like '% %' then
    return null;
  end if;
  return coalesce(
    (select coalesce(name, split_part(email, '@', 1)) from publishers where _id = split_part(actor, ' ', 2)),
    (select name from named_keys where site_id = of_site and _id = split_part(actor, ' ', 2))
  );
end $$;

-- Adds a row to the history. A change with a type is an event: readers of events see it, and webhooks send it.
create or replace function add_change(
  site_id text, type text, resource text, record_id text, state jsonb, previous jsonb default null,
  fields text[] default null, author text default null, kept jsonb default null
) returns void language plpgsql as $$
declare
  moment  constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  id      constant text := lpad(to_hex(floor(extract(epoch from moment))::bigint), 8, '0')
                             || lpad(to_hex(nextval('event_numbers')), 16, '0');
  -- Set by end_entitlements(): the transaction and the step that these deletions are part of.
  follows constant text := coalesce(current_setting('zoetrope.follows', true), '');
begin
  insert into events (
    _id, site_id, created_at, xact, type, resource, record_id, actor, request_id, state, previous, undoes, step, fields,
    author, kept
  )
  values (
    id, site_id, moment, case follows when '' then pg_current_xact_id() else split_part(follows, ' ', 1)::xid8 end, type,
    resource, record_id, current_actor(), nullif(current_setting('zoetrope.request', true), ''), state, previous,
    nullif(current_setting('zoetrope.undoes', true), ''),
    case follows when '' then current_step() else split_part(follows, ' ', 2)::smallint end, fields, author, kept
  );
  -- A test goes to one webhook only: features/webhooks.ts makes its delivery.
  if type <> 'webhook.test' and exists (
    select from webhooks where webhooks.site_id = add_change.site_id and active
  ) then
    insert into event_queue (event_id, site_id, type) values (id, site_id, type);
    -- After a request, the server sends these notifications itself (lists/event-hints.ts). Here they would make all commits wait
    -- for each other; changes without a request are rare.
    if coalesce(current_setting('zoetrope.request', true), '') = '' then
      perform pg_notify('zoetrope_events', site_id), pg_notify('zoetrope_webhooks', '');
    end if;
  end if;
end $$;

-- Writes the history of a table. The arguments:
-- 1. the name of the record in types of events; empty if only deleted rows are kept
-- 2. columns that events never contain, because they are secret or only an index
-- 3. columns that change without anybody noticing, such as counts, and those that no record shows
-- 4. 'kept' if deleted rows can come back, 'versions' if the record has versions
-- 5. milestones, which are events of their own: 'verb column set' when the column is no longer null, 'verb column changed',
--    or 'verb column is value'
-- A deletion that follows from another one, through a foreign key or by end_entitlements(), is no event of its own.
create or replace function note_change() returns trigger language plpgsql as $$
declare
  name    constant text := tg_argv[0];
  hidden  constant text[] := tg_argv[1];
  becomes jsonb;
  was     jsonb;
  changed text[];
  fields  text[];
  verb    text;
  old_values hstore;
  new_values hstore;
begin
  if tg_op = 'UPDATE' then
    -- The only comparison of the two rows.
    old_values := hstore(old);
    new_values := hstore(new);
    changed := akeys(new_values - old_values);
    select array_agg(field order by field) into fields from unnest(changed) as field
    where field <> all (tg_argv[2]::text[]) and field <> all (hidden);
    if tg_nargs > 4 then
      perform add_change(new.site_id, name || '.' || milestone, tg_table_name, new._id, to_jsonb(new) - hidden)
      from reached_milestones(tg_argv[4]::text[], changed, old_values, new_values) as milestone;
    end if;
    if fields is null then
      return null;
    end if;
    was := to_jsonb(old);
    becomes := to_jsonb(new) - hidden;
    verb := case
      when 'deleted_at' <> all (fields) then 'updated'
      when becomes ->> 'deleted_at' is null then 'restored'
      else 'deleted'
    end;
    perform add_change(
      new.site_id, name || '.' || verb, tg_table_name, new._id, becomes,
      (select jsonb_object_agg(field, was -> field) from unnest(changed) as field where field <> all (hidden)),
      fields, case when tg_argv[3] = 'versions' then name_of_actor(new.site_id, current_actor()) end
    );
  elsif tg_op = 'INSERT' then
    becomes := to_jsonb(new) - hidden;
    verb := case when name in ('entitlement', 'playlist_entitlement') then 'granted' else 'created' end;
    -- Set while a deletion is undone: what belonged to the record comes back without events, as it went.
    if coalesce(current_setting('zoetrope.restores', true), '') <> '' then
      if becomes ->> '_id' <> current_setting('zoetrope.restores', true) then
        return null;
      end if;
      verb := 'restored';
    end if;
    perform add_change(new.site_id, name || '.' || verb, tg_table_name, becomes ->> '_id', becomes);
  else
    perform note_deletion(
      tg_table_name, to_jsonb(old), hidden, tg_argv[3] = 'kept',
      -- Null, if it follows from another deletion.
      case when pg_trigger_depth() = 1 and coalesce(current_setting('zoetrope.follows', true), '') = '' then
        nullif(name, '')
      end
    );
  end if;
  return null;
end $$;

create or replace function note_deletion(resource text, was jsonb, hidden text[], can_return boolean, name text)
returns void language plpgsql as $$
declare
  -- Not those of videos that are deleted for good, and of whole channels.
  keeps constant boolean := can_return and current_setting('zoetrope.keeps_deleted', true) is distinct from 'no';
begin
  if name is null and not keeps then
    return;
  end if;
  perform add_change(
    was ->> 'site_id',
    name || '.' || case
      when name in ('entitlement', 'playlist_entitlement') then 'ended'
      when was ->> 'deleted_at' is not null then 'purged'
      else 'deleted'
    end,
    resource, was ->> '_id', was - hidden,
    -- The rest of the row.
    kept => case when keeps then
      coalesce((select jsonb_object_agg(field, was -> field) from unnest(hidden) as field), '{}')
    end
  );
end $$;

-- The verbs of the milestones that an update has reached. Several columns may have the same one.
create or replace function reached_milestones(milestones text[], changed text[], was hstore, becomes hstore)
returns setof text language sql immutable as $$
  select distinct word[1] from unnest(milestones) as milestone cross join string_to_array(milestone, ' ') as word
  where word[2] = any (changed) and case word[3]
    when 'set' then was -> word[2] is null
    when 'changed' then was -> word[2] is not null and becomes -> word[2] is not null
    else becomes -> word[2] = word[4]
  end
$$;

-- After a dump was restored, its events belong to transactions of another server, and come before all new ones. Adopts
-- some of them, and returns whether there are no others. Which rows were deleted together is not known any more.
create or replace function adopt_events(most integer) returns boolean language plpgsql as $$
declare
  cluster constant text := (select system_identifier from pg_control_system());
  adopted integer;
begin
  if exists (select from event_clusters where identifier = cluster) then
    return true;
  end if;
  update events set xact = '0', kept = null where (_id, created_at) in (
    select _id, created_at from events where xact > pg_current_xact_id() limit most
  );
  get diagnostics adopted = row_count;
  if adopted = most then
    return false;
  end if;
  update events set kept = null where kept is not null;
  delete from events where type is null;
  delete from event_clusters;
  insert into event_clusters (identifier) values (cluster);
  return true;
end $$;

-- Makes a partition for every day from today to a week ahead, and drops those that are older than `days`. A day whose
-- events are already in the default partition stays there. keep_versions() comes before it.
create or replace function keep_event_days(days integer) returns void
language plpgsql
-- Writers wait behind this, so it does not wait for long.
set lock_timeout = '3s' as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  day   date;
  name  text;
begin
  for day in select generate_series(today, today + 7, interval '1 day') loop
    name := 'events_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(name) is not null or exists (
      select from events_other
      where created_at >= day::timestamp at time zone 'UTC' and created_at < (day + 1)::timestamp at time zone 'UTC'
    );
    execute format('create table %I (like events including all)', name);
    execute format(
      'alter table events attach partition %I for values from (%L) to (%L)',
      name, day || ' 00:00:00+00', day + 1 || ' 00:00:00+00'
    );
  end loop;
  for name in
    select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'events'::regclass and relname ~ '^events_[0-9]{8}$'
      and relname < 'events_' || to_char(today - days, 'YYYYMMDD')
  loop
    execute format('drop table %I', name);
  end loop;
  delete from events_other where created_at < now() - make_interval(days => days);
end $$;

-- functions/lists.sql

-- Counting lists. The note_list functions run as triggers of the counted tables.

-- The version of a list: a number that grows with every write to it.
create or replace function list_version(of_site text, of_list text) returns bigint
language sql stable parallel safe
return (
  coalesce((select changes from list_versions where site_id = of_site and list = of_list), 0)
  + (select count(*) from list_changes where site_id = of_site and list = of_list)
);

-- For tables with active and deleted_at. Records are inserted and updated one by one, where a trigger by row costs less than
-- one by statement, which copies the rows first. A deletion may remove many rows, and appends one sum for all of them.
create or replace function note_list_insert() returns trigger language plpgsql as $$
begin
  insert into list_changes (site_id, list, active, minute, delta)
  values (new.site_id, tg_table_name, new.active, date_trunc('minute', new.created_at), 1);
  return null;
end $$;

-- A change that moves no count still appends a row, so that the version grows.
create or replace function note_list_update() returns trigger language plpgsql as $$
declare
  was     constant boolean := old.deleted_at is null;
  becomes constant boolean := new.deleted_at is null;
begin
  if was and becomes and old.active = new.active and old.created_at = new.created_at then
    insert into list_changes (site_id, list, active, minute, delta)
    values (new.site_id, tg_table_name, new.active, date_trunc('minute', new.created_at), 0);
    return null;
  end if;
  if was then
    insert into list_changes (site_id, list, active, minute, delta)
    values (old.site_id, tg_table_name, old.active, date_trunc('minute', old.created_at), -1);
  end if;
  if becomes then
    insert into list_changes (site_id, list, active, minute, delta)
    values (new.site_id, tg_table_name, new.active, date_trunc('minute', new.created_at), 1);
  end if;
  return null;
end $$;

create or replace function note_list_delete() returns trigger language plpgsql as $$
begin
  insert into list_changes (site_id, list, active, minute, delta)
  select site_id, tg_table_name, active, date_trunc('minute', created_at), -count(*)
  from old_rows where deleted_at is null group by 1, 3, 4;
  return null;
end $$;

-- For tables without active and deleted_at. Counts depend only on the time of creation, so most updates append a zero,
-- which makes the version grow.
create or replace function note_list_insert_plain() returns trigger language plpgsql as $$
begin
  insert into list_changes (site_id, list, active, minute, delta)
  values (new.site_id, tg_table_name, true, date_trunc('minute', new.created_at), 1);
  return null;
end $$;

create or replace function note_list_update_plain() returns trigger language plpgsql as $$
begin
  insert into list_changes (site_id, list, active, minute, delta)
  values (new.site_id, tg_table_name, true, date_trunc('minute', new.created_at), 0);
  if old.created_at <> new.created_at then
    insert into list_changes (site_id, list, active, minute, delta)
    values (old.site_id, tg_table_name, true, date_trunc('minute', old.created_at), -1),
      (new.site_id, tg_table_name, true, date_trunc('minute', new.created_at), 1);
  end if;
  return null;
end $$;

create or replace function note_list_delete_plain() returns trigger language plpgsql as $$
begin
  insert into list_changes (site_id, list, active, minute, delta)
  select site_id, tg_table_name, true, date_trunc('minute', created_at), -count(*) from old_rows group by 1, 4;
  return null;
end $$;

-- Adds up to `batch` waiting changes to the sums and returns how many. Only one process does this at a time. It is one
-- statement, so a reader sees all of it or nothing.
create or replace function fold_list_changes(batch integer) returns integer language plpgsql as $$
declare
  folded integer;
begin
  if not pg_try_advisory_xact_lock(hashtext('fold_list_changes')) then return 0; end if;
  with taken as (
    delete from list_changes where seq in (select seq from list_changes order by seq limit batch) returning *
  ), minutes as (
    insert into list_minutes as old (site_id, list, active, minute, total)
    select site_id, list, active, minute, sum(delta) from taken group by 1, 2, 3, 4 having sum(delta) <> 0
    on conflict (site_id, list, active, minute) do update set total = old.total + excluded.total
  ), days as (
    insert into list_days as old (site_id, list, active, day, total)
    select site_id, list, active, date_trunc('day', minute, 'UTC'), sum(delta) from taken
    group by 1, 2, 3, 4 having sum(delta) <> 0
    on conflict (site_id, list, active, day) do update set total = old.total + excluded.total
  ), versions as (
    insert into list_versions as old (site_id, list, changes)
    select site_id, list, count(*) from taken group by 1, 2
    on conflict (site_id, list) do update set changes = old.changes + excluded.changes
  )
  select count(*) into folded from taken;
  return folded;
end $$;

-- functions/media.sql

-- Leases of windows, and when feeds are read again.

-- After this many failures no worker tries again on its own: three if the film is damaged, about an hour of attempts
-- with growing pauses if something else failed.
create or replace function hopeless_window(kept media_windows) returns boolean
language sql immutable as $$
  select kept.failures >= 3 or kept.mishaps >= 12
$$;

-- Whether a process may start to encode a window: it is not encoded yet, no other process holds the lease, and it has
-- not failed recently or too often.
create or replace function free_window(kept media_windows) returns boolean
language sql stable as $$
  select kept.made_at is null and coalesce(kept.lease_until <= now(), true)
    and coalesce(kept.retry_at <= now(), true) and not hopeless_window(kept)
$$;

-- The same for a process that a viewer waits for. It may also take over a window that another process encodes ahead of
-- time.
create or replace function may_take_window(kept media_windows, yields boolean) returns boolean
language sql stable as $$
  select free_window(kept) or (kept.holder is not null and kept.yields and not yields)
$$;

-- The interval between two readings of a feed.
create or replace function reading_pause(sync_interval text) returns interval language sql immutable parallel safe
return case sync_interval when 'hourly' then interval '1 hour' else interval '1 day' end;

-- functions/money.sql

-- What a consumer has bought and may watch.

-- Whether a subscription is valid now.
create or replace function holds(status text, cancel_at_period_end boolean, ends timestamptz) returns boolean
language sql stable
return case status when 'active' then ends is null or ends > now()
                   when 'canceled' then cancel_at_period_end and ends > now()
                   else false end is true;

-- The valid subscriptions of a consumer.
create or replace function living_subscriptions(site text, consumer text) returns setof subscriptions
language sql stable as $$
  select * from subscriptions
  where site_id = site and consumer_id = consumer and holds(status, cancel_at_period_end, current_period_end_at)
$$;

-- What entitles a consumer to watch a video. Returns no row if the consumer does not exist. `playlists` are those that
-- contain the video, and their ancestors. The expressions with || '' match only the indexes *_entitlements_to_check.
create or replace function entitlement_status(site text, consumer text, video text, playlists text[])
returns table (super_watcher boolean, subscribes boolean, has_pass boolean, is_entitled boolean)
language sql stable as $$
  select consumers.super_watcher, exists (
    select from living_subscriptions(site, consumer) as subscription
    join plans on plans.site_id = site and plans._id = subscription.plan_id
    where entitlement_type = 'global' or playlist_ids && playlists
  ), exists (
    select from transactions
    where site_id = site and consumer_id = consumer and pass_plan_id is not null
      and expires_at > now()
  ) or exists (
    select from transactions
    where site_id = site and consumer_id = consumer and pass_plan_id is not null and expires_at is null
  ), exists (
    select from video_entitlements
    where site_id = site and consumer_id || '' = consumer and video_id || '' = video
      and (expires_at is null or expires_at > now())
  ) or exists (
    select from playlist_entitlements as given
    where given.site_id = site and consumer_id || '' = consumer and playlist_id || '' = any(playlists)
      and (expires_at is null or expires_at > now())
      -- Entitlements to a deleted playlist may still be there.
      and exists (select from public.playlists as there where there.site_id = site and there._id = playlist_id)
  )
  from consumers where site_id = site and _id = consumer
$$;

-- Counts the payments of a consumer and lists their providers.
create or replace function payments_of(of_site text, of_consumer text)
returns table (transactions integer, passes integer, providers text[]) language sql stable as $$
  select count(*) filter (where bought), count(pass_plan_id),
    coalesce(array_agg(distinct provider order by provider) filter (where provider is not null), '{}')
  from (
    select true as bought, pass_plan_id, provider from transactions
    where site_id = of_site and consumer_id = of_consumer
    union all
    select false, null, payment_provider from subscriptions where site_id = of_site and consumer_id = of_consumer
  ) as payments
$$;

-- Recounts the payments of a consumer: there are few, and they may move to another consumer. It locks the consumer
-- first, so that it sees payments that another transaction has just committed.
create or replace function count_payments(of_site text, of_consumer text) returns void language plpgsql as $$
begin
  perform from consumers where site_id = of_site and _id = of_consumer for no key update;
  update consumers set transaction_count = transactions, pass_count = passes, payment_providers = providers
  from payments_of(of_site, of_consumer)
  where site_id = of_site and _id = of_consumer
    and (transaction_count, pass_count, payment_providers) is distinct from (transactions, passes, providers);
end $$;

-- Adds the given differences to the entitlement counts of consumers. It does not recount, because one consumer may have
-- thousands. An entitlement never moves to another consumer.
create or replace function count_entitlements(of_kind text, site_ids text[], consumer_ids text[], steps bigint[])
returns void language plpgsql as $$
begin
  -- Rows are locked in the order of their keys, to avoid deadlock.
  perform from consumers
  join unnest(site_ids, consumer_ids) as held (site, consumer) on site_id = site and _id = consumer
  order by site_id, _id for no key update of consumers;
  update consumers set
    video_count = video_count + case of_kind when 'video_entitlements' then step else 0 end,
    playlist_count = playlist_count + case of_kind when 'playlist_entitlements' then step else 0 end
  from unnest(site_ids, consumer_ids, steps) as held (site, consumer, step) where site_id = site and _id = consumer;
end $$;

-- Deletes up to `most` entitlements to a deleted playlist, as part of the write that deleted it: they have no events, and
-- undoing that write brings them back. Returns whether there may be others.
create or replace function end_entitlements(of_site text, of_playlist text, most integer) returns boolean
language plpgsql as $$
declare
  removal removed_playlists;
  ended   integer;
begin
  -- Undoing the deletion takes this row away: it waits for this batch, and there are no others then.
  select * into removal from removed_playlists where site_id = of_site and _id = of_playlist for update;
  if not found then
    return false;
  end if;
  perform set_config('zoetrope.follows', removal.xact || ' ' || removal.step, true);
  delete from playlist_entitlements where site_id = of_site and _id in (
    select _id from playlist_entitlements where site_id = of_site and playlist_id = of_playlist limit most
  );
  get diagnostics ended = row_count;
  perform set_config('zoetrope.follows', '', true);
  if ended = most then
    return true;
  end if;
  delete from removed_playlists where site_id = of_site and _id = of_playlist;
  return false;
end $$;

-- functions/playlists.sql

-- Which playlists a video is in, and which videos a playlist has.

-- The lock for changes to the rules or the tree of playlists. share_playlists is the shared lock for changes to the
-- categories of videos. Without them, two concurrent transactions that write a rule and a video would not see each
-- other. Both are taken before any row of videos is locked.
create or replace function hold_playlists(of_site text) returns void
language sql as $$ select pg_advisory_xact_lock(hashtextextended('playlists of ' || of_site, 0)) $$;

create or replace function share_playlists(of_site text) returns void
language sql as $$ select pg_advisory_xact_lock_shared(hashtextextended('playlists of ' || of_site, 0)) $$;

-- The ids that the record of a playlist shows.
create or replace function first_videos(of_site text, of_playlist text) returns text[]
language sql stable
return array(
  select video_id from playlist_videos where site_id = of_site and playlist_id = of_playlist and shown
  order by position limit 100
);

-- A playlist and its ancestors.
create or replace function playlist_line(of_site text, of_playlist text) returns text[]
language sql stable
return (
  with recursive line as (
    select _id, parent_id, 1 as depth from playlists where site_id = of_site and _id = of_playlist
    union all
    select playlists._id, playlists.parent_id, depth + 1
    from line join playlists on playlists.site_id = of_site and playlists._id = line.parent_id where depth < 100
  )
  select coalesce(array_agg(_id order by depth), '{}') from line
);

-- The playlists that contain a video with these categories, by hand or by rules.
create or replace function playlists_with(of_site text, of_video text, entries jsonb) returns setof text
language sql stable rows 10 as $$
  select playlist_id from playlist_videos where site_id = of_site and video_id = of_video
  union all
  select _id from playlists
  where entries <> '[]' and site_id = of_site and filled_by is not null and entries @@ filled_by
$$;

-- The same, with their ancestors.
create or replace function playlists_of_video(of_site text, of_video text, entries jsonb) returns text[]
language sql stable
return (
  select coalesce(array_agg(distinct id), '{}')
  from playlists_with(of_site, of_video, entries) as playlist_id
  cross join unnest(playlist_line(of_site, playlist_id)) as id
);

-- Sets related_playlist_ids of videos. It locks them first, so that it reads the newest state.
create or replace function relate_videos(of_site text, ids text[]) returns void
language plpgsql as $$
begin
  perform from videos where site_id = of_site and _id = any(ids) order by _id for update;
  update videos set related_playlist_ids = playlists_of_video(site_id, _id, categories), updated_at = now()
  where site_id = of_site and _id = any(ids)
    and related_playlist_ids is distinct from playlists_of_video(site_id, _id, categories);
end $$;

-- The same for the next batch of videos that are, or should be, in or below a playlist. Returns the last id if there
-- may be more.
create or replace function relate_below(of_site text, of_playlist text, after text, batch integer) returns text
language plpgsql as $$
declare
  filling jsonpath := (select filled_by from playlists where site_id = of_site and _id = of_playlist);
  ids text[];
begin
  ids := array(
    select _id from videos
    where site_id = of_site and _id > after and (
      (related_playlist_ids && array[of_playlist] and related_playlist_ids <> '{}')
      or (categories @@ filling and categories <> '[]')
    )
    order by _id limit batch
  );
  perform relate_videos(of_site, ids);
  return case when cardinality(ids) = batch then ids[batch] end;
end $$;

-- The videos that viewers can watch in a playlist or below it. A function, so that lists of them can be paged.
create or replace function videos_within(of_site text, of_playlist text) returns setof videos language sql stable as $$
  select * from videos
  where site_id = of_site and related_playlist_ids && array[of_playlist] and related_playlist_ids <> '{}'
    and active and deleted_at is null
$$;

-- functions/requests.sql

-- Claims the key of a request for this transaction and returns null, or returns the request that has used it. Waits for
-- a transaction that has claimed it and is still running.
create or replace function claim_request(site_id text, caller text, key text, digest bytea) returns idempotent_requests
language plpgsql
set lock_timeout = '10s' as $$
declare
  known idempotent_requests;
begin
  loop
    insert into idempotent_requests as old (site_id, caller, key, digest)
    values (claim_request.site_id, claim_request.caller, claim_request.key, claim_request.digest)
    on conflict on constraint idempotent_requests_pkey do update
      set digest = excluded.digest, status = null, content_type = null, body = null, event_ids = null, created_at = now()
      where old.created_at < now() - interval '1 day';
    if found then
      return null;
    end if;
    select * into known from idempotent_requests as old
    where old.site_id = claim_request.site_id and old.caller = claim_request.caller and old.key = claim_request.key;
    if found then
      return known;
    end if;
  end loop;
end $$;

-- functions/rules.sql

-- Content rules. features/content-rules has the rest: allowed-here.ts must agree with verdict_of().

create or replace function texts_in(list jsonb) returns text[]
language sql immutable parallel safe
return array(select jsonb_array_elements_text(coalesce(list, '[]')));

create or replace function countries_in(geographies jsonb) returns text[]
language sql immutable parallel safe
return (
  select coalesce(array_agg(country), '{}')
  from jsonb_array_elements(geographies) as geography, jsonb_array_elements_text(geography -> 'countries') as country
);

-- The places that a rule of a profile names, by its match_type; address ranges as `first-last`.
create or replace function places_named_by(rule jsonb) returns text[]
language sql immutable parallel safe
return case rule ->> 'match_type'
  when 'country' then texts_in(rule -> 'countries')
  when 'state' then texts_in(rule -> 'states')
  when 'city' then texts_in(rule -> 'cities')
  when 'zip_code' then texts_in(rule -> 'zip_codes')
  when 'dma_code' then texts_in(rule -> 'dma_codes')
  when 'ip_address' then texts_in(rule -> 'ip_addresses') || array(
    select (range ->> 'start') || '-' || (range ->> 'end') from jsonb_array_elements(rule -> 'ip_ranges') as range
  )
  else '{}'
end;

-- A rule as it is evaluated. Distance 0 is the video, 1 its playlists, 2 its categories, 3 the default profile.
create or replace function as_applied(distance integer, rule video_content_rules) returns applied_rule
language sql immutable parallel safe as $$
  select row(
    distance, rule._id, rule.policy, rule.priority, rule.stackable,
    case when rule.geographies = '[]' then 'global' else 'country' end, countries_in(rule.geographies),
    rule.device_ids, rule.device_category_ids, rule.domains, rule.starts_at, rule.ends_at
  )::applied_rule
$$;

create or replace function as_applied(distance integer, rule playlist_content_rules) returns applied_rule
language sql immutable parallel safe as $$
  select row(
    distance, rule._id, rule.policy, rule.priority, rule.stackable,
    case when rule.geographies = '[]' then 'global' else 'country' end, countries_in(rule.geographies),
    rule.device_ids, rule.device_category_ids, rule.domains, rule.starts_at, rule.ends_at
  )::applied_rule
$$;

create or replace function as_applied(distance integer, rule category_content_rules) returns applied_rule
language sql immutable parallel safe as $$
  select row(
    distance, rule._id, rule.policy, rule.priority, rule.stackable,
    case when rule.geographies = '[]' then 'global' else 'country' end, countries_in(rule.geographies),
    rule.device_ids, rule.device_category_ids, rule.domains, rule.starts_at, rule.ends_at
  )::applied_rule
$$;

create or replace function rules_of_profile(distance integer, profile content_rule_profiles) returns setof applied_rule
language sql stable as $$
  select distance, rule ->> '_id', rule ->> 'policy', (rule ->> 'priority')::integer, (rule ->> 'stackable')::boolean,
    rule ->> 'match_type', places_named_by(rule), texts_in(rule -> 'device_ids'),
    texts_in(rule -> 'device_category_ids'), texts_in(rule -> 'domains'),
    (rule ->> 'starts_at')::timestamptz, (rule ->> 'ends_at')::timestamptz
  from jsonb_array_elements(profile.content_rules) as rule where (rule ->> 'enabled')::boolean
$$;

-- The facts about a viewer that rules compare. The IP address is part of the place.
create or replace function located(viewer jsonb) returns jsonb
language sql immutable parallel safe
return jsonb_set(viewer, '{place,address}', coalesce(viewer -> 'address', 'null'));

-- `example.com` matches every port, `example.com:8080` one port, and `*.example.com` all hosts below it.
create or replace function is_within_domain(domain text, host text, port text) returns boolean
language sql immutable parallel safe
return host <> '' and split_part(domain, ':', 2) in ('', port) and case
  when left(domain, 2) = '*.'
    then right(host, length(split_part(domain, ':', 1)) - 1) = lower(substr(split_part(domain, ':', 1), 2))
  else host = lower(split_part(domain, ':', 1))
end;

-- Whether the address is one of `192.0.2.1`, `192.0.2.0/24` or `192.0.2.1-192.0.2.9`.
create or replace function is_among_addresses(address text, named text[]) returns boolean
language sql immutable parallel safe
return exists (
  select from unnest(named) as each
  where case
    when position('-' in each) > 0
      then address::inet between split_part(each, '-', 1)::inet and split_part(each, '-', 2)::inet
    else address::inet <<= each::inet
  end
);

-- The kinds of device that a viewer may be using: the kind that the device reports, unless the app is known to run on
-- others.
create or replace function devices_of_viewer(of_site text, viewer jsonb) returns text[]
language sql stable as $$
  with told as (
    select _id from devices where site_id = of_site and name = viewer ->> 'device'
  ), of_app as (
    select unnest(device_ids) as _id from apps where site_id = of_site and apps._id = viewer ->> 'app_id'
  ), both_say as (
    select _id from told where _id in (select _id from of_app)
  )
  select coalesce(array_agg(_id), '{}') from (
    select _id from both_say
    union all select _id from of_app where not exists (select from both_say)
    union all select _id from told where not exists (select from of_app)
  ) as devices
$$;

-- Why the place of a viewer does not match a rule, or null if it does. An unknown place never matches.
create or replace function place_unmet_by(rule applied_rule, place jsonb) returns text
language plpgsql immutable parallel safe as $$
begin
  return case
    when rule.match_type = 'ip_address' then
      case when is_among_addresses(nullif(place ->> 'address', ''), rule.places) then null else 'wrong_place' end
    when place -> rule.match_type is null then
      case rule.match_type when 'country' then 'country_unknown' else 'place_unknown' end
    when exists (
      select from unnest(rule.places) as named
      join jsonb_array_elements_text(case jsonb_typeof(place -> rule.match_type)
        when 'array' then place -> rule.match_type
        else jsonb_build_array(place -> rule.match_type)
      end) as known on lower(named) = lower(known)
    ) then null
    else case rule.match_type when 'country' then 'wrong_country' else 'wrong_place' end
  end;
end $$;

-- Why a rule does not apply to a viewer: the code of a refusal, or null if it applies. A playback URL from before the
-- video had rules does not contain the device or the site. A rule about these refuses then, and the player requests a
-- new URL.
create or replace function unmet_by(rule applied_rule, of_site text, viewer jsonb) returns text
language plpgsql stable as $$
declare
  is_told boolean := true;
  wrong_place text;
begin
  if now() < rule.starts_at or now() >= rule.ends_at then return 'wrong_time'; end if;
  if rule.device_ids <> '{}' or rule.device_category_ids <> '{}' then
    if not viewer ? 'device' then is_told := false;
    elsif not exists (
      select from devices where site_id = of_site and _id = any(devices_of_viewer(of_site, viewer))
        and (_id = any(rule.device_ids) or device_category_id = any(rule.device_category_ids))
    ) then return 'wrong_device'; end if;
  end if;
  if rule.domains <> '{}' then
    if not viewer ? 'host' then is_told := false;
    elsif not exists (
      select from unnest(rule.domains) as domain where is_within_domain(domain, viewer ->> 'host', viewer ->> 'port')
    ) then return 'wrong_site'; end if;
  end if;
  wrong_place := case when rule.match_type <> 'global' then place_unmet_by(rule, viewer -> 'place') end;
  return coalesce(wrong_place, case when not is_told then 'not_told' end);
end $$;

-- The code of the refusal when a rule that denies applies.
create or replace function denial_by(rule applied_rule) returns text
language sql immutable parallel safe as $$
  select case
    when rule.match_type = 'country' then 'wrong_country'
    when rule.match_type <> 'global' then 'wrong_place'
    when rule.device_ids <> '{}' or rule.device_category_ids <> '{}' then 'wrong_device'
    when rule.domains <> '{}' then 'wrong_site'
    when rule.starts_at is not null or rule.ends_at is not null then 'wrong_time'
    else 'not_shown'
  end
$$;

-- Evaluates rules in order. The first rule that applies decides. If none applies and some rule allows others, the
-- viewer is refused. Returns null without rules, an empty text if the viewer may watch, and the code of the refusal
-- otherwise.
create or replace function verdict_of(rules applied_rule[], of_site text, viewer jsonb) returns text
language plpgsql stable as $$
declare
  rule applied_rule;
  unmet text;
  refusal text;
begin
  if cardinality(rules) = 0 then return null; end if;
  for rule in
    select each.* from unnest(rules) as each
    where each.distance <= (
      select coalesce(min(nearer.distance), 1000) from unnest(rules) as nearer where not nearer.stackable
    )
    order by each.priority, each.distance, each._id
  loop
    unmet := unmet_by(rule, of_site, viewer);
    if unmet is null then return case rule.policy when 'allow' then '' else denial_by(rule) end; end if;
    if unmet in ('country_unknown', 'place_unknown', 'not_told') then return unmet; end if;
    if rule.policy = 'allow' then refusal := coalesce(refusal, unmet); end if;
  end loop;
  return coalesce(refusal, '');
end $$;

-- The rules for a record: its own if it is a video, those of its playlists and categories, those of profiles, and the
-- default profile if no profile is named.
create or replace function rules_around(
  of_site text, of_video text, own_profile text, around text[], category_ids text[]
) returns setof applied_rule
language sql stable as $$
  with named as (
    select content_rule_profile_id as _id from playlists
    where site_id = of_site and _id = any(around) and content_rule_profile_id is not null
  )
  select applied.* from video_content_rules as rule cross join lateral as_applied(0, rule) as applied
  where site_id = of_site and video_id = of_video and enabled
  union all
  select applied.* from playlist_content_rules as rule cross join lateral as_applied(1, rule) as applied
  where site_id = of_site and playlist_id = any(around) and enabled
  union all
  select applied.* from category_content_rules as rule cross join lateral as_applied(2, rule) as applied
  where site_id = of_site and category_id = any(category_ids) and enabled
  union all
  select applied.* from content_rule_profiles as profile
  cross join lateral rules_of_profile(
    case when profile._id = own_profile then 0 when profile._id in (select _id from named) then 1 else 3 end, profile
  ) as applied
  where profile.site_id = of_site and (
    profile._id = own_profile or profile._id in (select _id from named)
    or (is_default_profile and own_profile is null and not exists (select from named))
  )
$$;

create or replace function verdict_around(
  of_site text, of_video text, own_profile text, around text[], category_ids text[], viewer jsonb
) returns text
language plpgsql stable as $$
begin
  return verdict_of(array(
    select rule from rules_around(of_site, of_video, own_profile, around, category_ids) as rule
  ), of_site, located(viewer));
end $$;

-- Whether a viewer may watch a video. related_playlist_ids names all playlists whose rules hold for it.
create or replace function content_verdict(video videos, viewer jsonb) returns text
language sql stable as $$
  select verdict_around(
    video.site_id, video._id, video.content_rule_profile_id, video.related_playlist_ids,
    category_ids_in(video.categories), viewer
  )
$$;

-- The same for what is in a playlist and has no rules of its own.
create or replace function playlist_verdict(playlist playlists, viewer jsonb) returns text
language sql stable as $$
  select verdict_around(playlist.site_id, null, null, playlist_line(playlist.site_id, playlist._id), '{}', viewer)
$$;

-- The rules of a channel except those of single videos, in the order in which they are tried, each with its effect on
-- a viewer: `open` or `shut` if it decides, `others` if it allows others only. Rules without effect are left out
-- unless they exclude others. A list evaluates each rule once with this, not once per video.
create or replace function rules_of_channel(of_site text, viewer jsonb)
returns table (kind text, source_id text, says text, stackable boolean)
language sql stable as $$
  with profiled as (
    select profile, applied from content_rule_profiles as profile
    cross join lateral rules_of_profile(0, profile) as applied
    where site_id = of_site
  ), listed (kind, source_id, distance, rule) as (
    select 'playlist', playlist_id, 1, as_applied(1, rule) from playlist_content_rules as rule
    where site_id = of_site and enabled
    union all
    select 'category', category_id, 2, as_applied(2, rule) from category_content_rules as rule
    where site_id = of_site and enabled
    union all
    select 'profile', (profile)._id, 0, applied from profiled
    union all
    select 'playlist', playlists._id, 1, applied from profiled
    join playlists on playlists.site_id = of_site and content_rule_profile_id = (profile)._id
    union all
    select 'default', (profile)._id, 3, applied from profiled where (profile).is_default_profile
  ), tried as (
    select listed.*, unmet_by(rule, of_site, located(viewer)) as unmet from listed
  ), said as (
    select *, case
      when unmet is null then case (rule).policy when 'allow' then 'open' else 'shut' end
      when unmet in ('country_unknown', 'place_unknown') then 'shut'
      when (rule).policy = 'allow' then 'others'
    end as says from tried
  )
  select kind, source_id, says, (rule).stackable from said where says is not null or not (rule).stackable
  order by (rule).priority, distance, (rule)._id
$$;

-- functions/search.sql

-- What videos and subtitles are found by. The triggers are in triggers/search.sql.

create or replace function words_of_video(video videos) returns tsvector language plpgsql immutable parallel safe as $$
declare
  mark     constant text := channel_mark(video.site_id);
  words    tsvector;
  attached text;
begin
  if video.video_zobjects <> '[]' then
    select string_agg(zobject ->> 'title', ' ') into attached from jsonb_array_elements(video.video_zobjects) as zobject;
  end if;
  words := setweight(marked_words(
    mark, concat_ws(' ', video.title, array_to_string(video.keywords, ' '), video.source_id, attached)
  ), 'A');
  if video.description is null and video.short_description is null and video.internal_title is null then
    return words;
  end if;
  return words || setweight(marked_words(
    mark, concat_ws(' ', video.internal_title, video.short_description, video.description)
  ), 'B');
end $$;

-- The spoken words of clean WebVTT, without names of cues, times, tags and escapes.
create or replace function words_of_subtitle(site_id text, vtt text) returns tsvector
language plpgsql immutable parallel safe as $$
begin
  return strip(marked_words(channel_mark(site_id), regexp_replace(
    regexp_replace(vtt, '^WEBVTT|(\n\n[^\n]*)?\n[0-9]+:[0-9:.]+ --> [^\n]*', ' ', 'g'), '<[^>]*>|&[a-z]+;', ' ', 'g'
  )));
end $$;

-- The words that a misspelt one may be corrected to, without the mark of the channel.
create or replace function learnable_words(words tsvector) returns setof text language sql immutable parallel safe as $$
  select substr(word, 5) from unnest(tsvector_to_array(words)) as word
  where length(word) between 7 and 34 and word !~ '[0-9]'
$$;

-- Adds the words of up to `batch` waiting videos to the known ones, and returns how many videos there were.
create or replace function learn_words(batch integer, channel text default null) returns integer language plpgsql as $$
declare
  learned integer;
begin
  with taken as (
    delete from words_to_learn where ctid = any (array(
      select ctid from words_to_learn where channel is null or site_id = channel limit batch for update skip locked
    )) returning site_id, video_id
  ), changed as (
    select distinct site_id, video_id from taken where exists (select from channels where _id = site_id)
  ), added as (
    insert into known_words (site_id, word)
    select distinct changed.site_id, word from changed cross join lateral (
      select words from video_search where site_id = changed.site_id and _id = changed.video_id
      union all
      select words from subtitle_search where site_id = changed.site_id and video_id = changed.video_id
    ) as texts cross join lateral learnable_words(words) as word
    order by 1, 2
    on conflict do nothing
  )
  select count(*) into learned from taken;
  return learned;
end $$;

-- functions/values.sql

-- Functions that need no table. Generated columns use some of them, so this file is applied before the tables.

-- The format of all times that the API sends: ISO 8601 with milliseconds, in UTC.
create or replace function iso(moment timestamptz) returns text
language sql immutable parallel safe
return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- An id in the usual format, derived from channel, time and name.
create or replace function id_of(site_id text, moment timestamptz, name text) returns text
language sql immutable parallel safe
return lpad(to_hex(extract(epoch from moment)::bigint), 8, '0') || left(md5(site_id || ' ' || name), 16);

-- The words that a record is found by: letters and digits. PostgreSQL's own parser would read 'src-12' as a minus sign
-- and a number.
create or replace function words_of(variadic texts text[]) returns tsvector language sql immutable parallel safe
return to_tsvector('simple'::regconfig, regexp_replace(array_to_string(texts, ' '), '[^[:alnum:]]+', ' ', 'g'));

-- The words of a record with a title and keywords.
create or replace function search_words(title text, keywords text[], source_id text) returns tsvector
language sql immutable parallel safe
return to_tsvector(
  'simple'::regconfig,
  regexp_replace(concat_ws(' ', title, array_to_string(keywords, ' '), source_id), '[^[:alnum:]]+', ' ', 'g')
);

-- Converts what a person typed into a search to a query. Every word must occur; the last one may be a prefix.
create or replace function search_query(typed text) returns tsquery
language sql immutable parallel safe
return (
  select string_agg(
    to_tsquery('simple'::regconfig, quote_literal(word) || case when place = length then ':*' else '' end)::text, ' & '
  )::tsquery
  from (
    select word, place, count(*) over () as length
    from regexp_split_to_table(btrim(regexp_replace(typed, '[^[:alnum:]]+', ' ', 'g')), ' ')
      with ordinality as split (word, place)
    where word <> ''
  ) as words
);

-- A few letters that all words of a channel begin with in the indexes for search. So the words of one channel are beside
-- each other, and a search reads no entries of other channels. Two channels may share a mark: queries also compare site_id.
create or replace function channel_mark(site_id text) returns text language sql immutable parallel safe
return translate(left(md5(site_id), 4), '0123456789', 'ghijklmnop');

-- The words of a text with the mark of their channel. Texts have the collation C, in which letters with marks would
-- separate words. A vector has at most 1 MB, so words after the first 200,000 characters are not included.
create or replace function marked_words(mark text, given text) returns tsvector
language plpgsql immutable parallel safe as $$
begin
  return ts_delete(to_tsvector('simple'::regconfig, mark || regexp_replace(
    left(given, 200000) collate "default", '[^[:alnum:]]+', ' ' || mark, 'g'
  )), mark);
end $$;

-- Converts what a person typed into a search to a query of marked words. Every word must occur; the last one may be a
-- prefix. With weights, the words must have one of them.
create or replace function marked_query(mark text, typed text, weights text) returns tsquery
language sql immutable parallel safe
return (
  select string_agg(
    to_tsquery('simple'::regconfig, quote_literal(mark || word) || case
      when place = length then ':*' || weights when weights <> '' then ':' || weights else ''
    end)::text, ' & '
  )::tsquery
  from (
    select word, place, count(*) over () as length
    from regexp_split_to_table(btrim(regexp_replace(typed, '[^[:alnum:]]+', ' ', 'g')), ' ')
      with ordinality as split (word, place)
    where word <> ''
  ) as words
);

-- The condition that one rule of a playlist sets for the categories of a video, as part of a JSON path.
create or replace function category_path(rule jsonb, given jsonb) returns text
language sql immutable parallel safe
return 'exists($[*] ? (@.category_id == ' || (rule -> 'category_id')::text || coalesce((
  select ' && (' || string_agg('@.value[*] == ' || value::text, ' || ') || ')' from jsonb_array_elements(given) as value
), '') || '))';

-- All rules of a playlist as one JSON path. Null if the playlist is filled by hand, or has no rules and is empty.
create or replace function filling_path(playlist_type text, match_type text, rules jsonb) returns jsonpath
language sql immutable parallel safe
return case when playlist_type = 'category' then (
  select ('('
    || string_agg(category_path(rule, rule -> 'value'), case match_type when 'all' then ' && ' else ' || ' end)
    || ')'
    || coalesce(string_agg(' && !' || category_path(rule, rule -> 'exclude_values'), '')
      filter (where jsonb_array_length(coalesce(rule -> 'exclude_values', '[]')) > 0), ''))::jsonpath
  from jsonb_array_elements(rules) as rule
) end;

-- functions/versions.sql

-- Versions of videos, read from the history.

-- The value of a column of videos as the record shows it, from its value in the history.
create or replace function shown_in_record(field text, value jsonb) returns jsonb language plpgsql stable as $$
begin
  if jsonb_typeof(value) = 'null' then
    return value;
  end if;
  return case (
    select atttypid from pg_attribute where attrelid = 'videos'::regclass and attname = field
  )
    when 'timestamptz'::regtype then to_jsonb(iso((value #>> '{}')::timestamptz))
    when 'numeric'::regtype then to_jsonb(value #>> '{}')
    else value
  end;
end $$;

-- The kind of caller that a version shows. Null for the platform.
create or replace function caller_of_version(actor text) returns text language sql immutable
return (
  select kind from split_part(actor, ' ', 1) as kind where kind in ('admin', 'named', 'owner', 'editor', 'upload')
);

-- The newest 100 versions of a video. All changes of one request are one version. Version 1 is the video as it was created;
-- it is there once there is another one.
create or replace function versions_of_video(video videos)
returns table (
  _id text, created_at timestamptz, number integer, caller text, author text, fields text[], before jsonb, after jsonb
) language plpgsql stable rows 100 as $$
declare
  -- What others write: pictures, the details of zobjects, and the address of a film that is imported.
  unversioned constant text[] := '{thumbnails,images,video_zobjects,source_url}';
  old_number integer;
  old_id     text;
begin
  select max(old.number), max(old._id) into old_number, old_id from old_video_versions as old
  where old.site_id = video.site_id and old.video_id = video._id;
  return query
  with changes as (
    select event.*, (event.xact, event.request_id) is distinct from
      lag((event.xact, event.request_id)) over (order by event._id) as begins
    from events as event
    where event.site_id = video.site_id and event.record_id = video._id and event.resource = 'videos'
      and event._id > coalesce(old_id, '') and not event.fields <@ unversioned
  ), numbered as (
    select changes.*, coalesce(old_number, 1) + (count(*) filter (where begins) over (order by changes._id))::integer as place
    from changes
  ), newest as (
    select * from numbered where place > (select max(place) from numbered) - 100
  ), fields_of as (
    select place, field,
      (array_agg(shown_in_record(field, previous -> field) order by newest._id))[1] as before,
      (array_agg(shown_in_record(field, state -> field) order by newest._id desc))[1] as after
    from newest cross join unnest(newest.fields) as field where field <> all (unversioned)
    group by place, field
  ), recent as (
    select max(newest._id) as _id, min(newest.created_at) as created_at, place, min(newest.actor) as actor,
      min(newest.author) as author
    from newest group by place
  ), versions as (
    select recent._id, recent.created_at, place as number, caller_of_version(actor) as caller, recent.author,
      (select array_agg(field order by field) from fields_of where fields_of.place = recent.place) as fields,
      (select jsonb_object_agg(field, fields_of.before) from fields_of where fields_of.place = recent.place) as before,
      (select jsonb_object_agg(field, fields_of.after) from fields_of where fields_of.place = recent.place) as after
    from recent
    union all
    select old._id, old.created_at, old.number, old.caller, old.author, old.fields, old.before, old.after
    from old_video_versions as old where old.site_id = video.site_id and old.video_id = video._id
    union all
    select id_of(video.site_id, video.created_at, video._id || ' 1'), video.created_at, 1,
      caller_of_version(video.created_by), name_of_actor(video.site_id, video.created_by), '{}', '{}', '{}'
    where old_id is not null or exists (select from recent)
  )
  select * from versions
  where versions.number > (select max(last.number) from versions as last) - 100;
end $$;

-- Keeps versions of videos when their events have become too old: the next ones of up to `most` videos after one. Returns
-- the last of these videos; null if there are no others.
create or replace function keep_versions(days integer, most integer, after_video text) returns text
language plpgsql as $$
declare
  -- Beyond what keep_event_days() drops, which is called later.
  until constant timestamptz := now() - make_interval(days => days) + interval '1 hour';
  sites text[];
  ids   text[];
begin
  select array_agg(site_id order by record_id), array_agg(record_id order by record_id) into sites, ids from (
    select distinct site_id, record_id from events
    where resource = 'videos' and fields is not null and created_at < until and record_id > after_video
    order by record_id limit most
  ) as due;
  insert into old_video_versions (_id, site_id, video_id, number, caller, author, fields, before, after, created_at)
  select version._id, site, id, number, caller, author, fields, before, after, version.created_at
  from unnest(sites, ids) as due (site, id) join videos on site_id = site and videos._id = id
  cross join lateral versions_of_video(videos) as version
  where number > 1 and version.created_at < until
  on conflict do nothing;
  delete from old_video_versions as old using (
    select site_id, video_id, max(number) as number from old_video_versions
    join unnest(sites, ids) as due (site, id) on site_id = site and video_id = id group by 1, 2
  ) as last
  where old.site_id = last.site_id and old.video_id = last.video_id and old.number <= last.number - 100;
  return ids[cardinality(ids)];
end $$;

-- functions/videos.sql

-- What the records of videos show of other tables.

-- The thumbnails that viewers see: the custom picture if there is one, else the frames of the film. The size is shown
-- only if it was measured for the same URL.
create or replace function shown_thumbnails(custom_url text, facts jsonb, frames jsonb) returns jsonb
language sql immutable parallel safe as $$
  select case when custom_url is null then frames else jsonb_build_array(jsonb_build_object(
    'url', custom_url,
    'width', case when facts ->> 'url' = custom_url then facts -> 'width' end,
    'height', case when facts ->> 'url' = custom_url then facts -> 'height' end,
    'aspect_ratio', case when facts ->> 'url' = custom_url
      then round((facts ->> 'width')::numeric / (facts ->> 'height')::numeric, 2) end,
    'name', 'custom'
  )) end
$$;

-- Replaces the player URL in the URLs of our own pictures. Their paths are unmistakable, so no other URL is changed.
create or replace function readdressed(written text, player_url text) returns text
language sql immutable parallel safe as $$
  select regexp_replace(
    written,
    'https?://[^"[:space:]]*(/(?:pictures/[0-9a-f]{24}/(?:poster-[0-9]{1,4}|preview)-[0-9a-f]{16}[.](?:jpg|webp)|images/[0-9a-f]{24}/[0-9a-f]{32}[.][a-z]+))',
    replace(player_url, '\', '\\') || '\1', 'g'
  )
$$;

-- What the record shows about the files that a video plays from. The playing one comes first.
create or replace function data_sources_of(video videos) returns jsonb
language plpgsql stable as $$
begin
  return (
    with elsewhere as (
      select _id, active, duration, created_at from self_hosted_sources
      where site_id = video.site_id and video_id = video._id
    ), shown as (
      select case when active then 0 else 3 end as place, created_at, _id, active, duration, 'ready' as status
      from elsewhere
      union all
      select case when _id = video.media_source_id then 1 else 2 end, created_at, _id,
        _id = video.media_source_id and status = 'ready' and not exists (select from elsewhere where active),
        round(duration)::integer, status
      from sources where site_id = video.site_id and video_id = video._id
        and _id in (video.media_source_id, video.pending_source_id)
    )
    select coalesce(jsonb_agg(jsonb_build_object(
      '_id', _id, 'active', active, 'duration', duration, 'status', status,
      'thumbnails', case when active then video.thumbnails else '[]' end
    ) order by place, created_at, _id), '[]')
    from shown
  );
end $$;

create or replace function video_source_types_of(video videos) returns text[]
language plpgsql stable as $$
begin
  return array(
    select 'hosted' where video.media_source_id is not null
    union all
    select 'self_hosted' where exists (
      select from self_hosted_sources where site_id = video.site_id and video_id = video._id
    )
  );
end $$;

-- The time at which the schedule next activates or deactivates a video. It reads one index entry.
create or replace function next_switch() returns timestamptz
language sql stable
return (select min(switches_at) from videos where switches_at is not null and deleted_at is null);

-- Whether a video is active once a switch is due, and when its next switch is. enable_at and disable_at take effect in the
-- order of their times; if they are equal, disable_at wins. films/schedule.ts has the same rule; test/same-rules.test.ts
-- compares them.
create or replace function active_after_switch(enable_at timestamptz, disable_at timestamptz) returns boolean
language sql stable
return coalesce(enable_at <= now() and (disable_at is null or disable_at > now() or disable_at < enable_at), false);

create or replace function switch_after(enable_at timestamptz, disable_at timestamptz) returns timestamptz
language sql stable
return least(case when enable_at > now() then enable_at end, case when disable_at > now() then disable_at end);

-- Activates or deactivates up to 2,000 videos that are due, and returns how many. Rows that other transactions have
-- locked are skipped.
create or replace function switch_due() returns integer language plpgsql as $$
declare
  switched integer;
begin
  update videos set
    active = active_after_switch(enable_at, disable_at),
    switches_at = switch_after(enable_at, disable_at),
    updated_at = now()
  where (site_id, _id) in (
    select site_id, _id from videos where switches_at <= now() and deleted_at is null
    order by switches_at limit 2000 for update skip locked
  );
  get diagnostics switched = row_count;
  return switched;
end $$;

-- Deletes the images of deleted videos, playlists and zobjects.
create or replace function remove_images() returns trigger language plpgsql as $$
begin
  delete from image_files where (site_id, owner_id) in (select site_id, _id from gone);
  return null;
end $$;

-- functions/webhooks.sql

-- Which events a webhook is sent, the ids of deliveries, and which are due: docs/decisions/0061-webhooks.md.

-- Whether a type of event matches one of the patterns: the type itself, or text with * for any part of it.
create or replace function event_matches(type text, patterns text[]) returns boolean
language sql immutable parallel safe
return exists (
  select from unnest(patterns) as pattern
  where type like replace(replace(pattern, '_', '\_'), '*', '%')
);

-- The id of the delivery of an event to a webhook; it sorts by the time of the event.
create or replace function delivery_id(event_id text, webhook_id text) returns text
language sql immutable parallel safe
return left(event_id, 8) || left(md5(event_id || ' ' || webhook_id), 16);

-- Whether the last delivery to a webhook was a success.
create or replace function answers(webhook webhooks) returns boolean
language sql stable parallel safe as $$ select webhook.failing_since is null and webhook.last_delivered_at is not null $$;

-- Makes deliveries of queued events, about `most_each` for the oldest of each channel: the many events of one do not delay those of
-- others. First (`later` is false) only for webhooks that answer; if there are others, the event stays in the queue for them.
-- Here and below, only plans that use indexes are made: statements are planned once, maybe while a table is empty, and a plan that
-- reads all of it becomes slow as deliveries collect.
create or replace function dispatch_events(later boolean, most_each integer, out is_some boolean, out is_more boolean)
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  with recursive channels as (
    (select site_id from event_queue where is_later = later order by site_id limit 1)
    union all
    select next.site_id from channels cross join lateral (
      select site_id from event_queue where is_later = later and site_id > channels.site_id order by site_id limit 1
    ) as next
  ), receivers as (
    select channels.site_id, greatest(count(_id), 1) as count,
      not later and count(_id) filter (where not answers(webhooks)) > 0 as remains
    from channels left join webhooks on webhooks.site_id = channels.site_id and active group by channels.site_id
  ), oldest as (
    select first.*, remains from receivers cross join lateral (
      select ctid as place, site_id, event_id, type from event_queue where is_later = later and site_id = receivers.site_id
      order by event_id limit most_each / count for update skip locked
    ) as first
  ), made as (
    insert into webhook_deliveries (_id, site_id, webhook_id, event_id, event_type, next_attempt_at)
    select delivery_id(event_id, webhooks._id), site_id, webhooks._id, event_id, type, now()
    from oldest join webhooks using (site_id)
    where active and (later or answers(webhooks)) and event_matches(type, webhooks.events)
    on conflict do nothing
  ), kept as (
    update event_queue set is_later = true from oldest where event_queue.ctid = place and remains
  ), removed as (
    delete from event_queue using oldest where event_queue.ctid = place and not remains
  )
  select count(*) > 0 into is_some from oldest;
  select is_some and exists (select from event_queue where is_later = later) into is_more;
end $$;

-- The oldest due deliveries of every webhook with one of these healths, at most so many as given for it; webhooks in random order,
-- so that none is always the last. It looks only at webhooks that have waiting deliveries: the index that orders these by webhook
-- is read from one webhook to the next.
create or replace function due_deliveries(slow text[], resting text[], healths text[], most_each integer[]) returns table (
  ctid text, _id text, site_id text, webhook_id text, event_id text, host text, health text
) language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  with recursive earliest as (
    (
      select site_id, webhook_id, next_attempt_at from webhook_deliveries where status = 'waiting'
      order by site_id, webhook_id, next_attempt_at limit 1
    )
    union all
    select next.* from earliest cross join lateral (
      select site_id, webhook_id, next_attempt_at from webhook_deliveries
      where status = 'waiting' and (site_id, webhook_id) > (earliest.site_id, earliest.webhook_id)
      order by site_id, webhook_id, next_attempt_at limit 1
    ) as next
  ), receivers as (
    select receiver.*, random() as lot from earliest cross join lateral (
      select site_id, _id, host, case
        when failing_since is not null then 'failing'
        when last_delivered_at is null then 'new'
        when _id = any(slow) then 'slow'
        else 'answering'
      end as health
      from webhooks
      where site_id = earliest.site_id and _id = webhook_id and active and _id <> all(resting) limit 1
    ) as receiver
    where next_attempt_at <= now()
  )
  select waiting.place, waiting._id, receivers.site_id, receivers._id, waiting.event_id, receivers.host, receivers.health
  from receivers join unnest(healths, most_each) as limits (health, most) using (health) cross join lateral (
    select ctid::text as place, _id, event_id, next_attempt_at from webhook_deliveries
    where site_id = receivers.site_id and webhook_id = receivers._id and status = 'waiting' and next_attempt_at <= now()
    order by next_attempt_at limit most
  ) as waiting
  order by lot, next_attempt_at;
end $$;

-- functions/zobjects.sql

-- Zobjects in the rows of videos.

-- Writes what the records of videos show about their zobjects: all ids, and details of the active ones. The rows are
-- locked first, so that the update sees what others have committed.
create or replace function show_zobjects(site text, video_ids text[]) returns void language plpgsql as $$
begin
  perform from videos where site_id = site and _id = any (video_ids) order by _id for no key update;
  update videos set
    updated_at = now(),
    zobject_ids = array(
      select zobject_id from zobject_videos as link
      where link.site_id = site and link.video_id = videos._id order by place
    ),
    video_zobjects = coalesce((
      select jsonb_agg(jsonb_build_object(
        '_id', zobject._id, 'title', zobject.title, 'description', zobject.description,
        'zobject_type_title', zobject.zobject_type
      ) order by place)
      from zobject_videos as link join zobjects as zobject
        on zobject.site_id = link.site_id and zobject._id = link.zobject_id
      where link.site_id = site and link.video_id = videos._id and zobject.active
    ), '[]')
  where site_id = site and _id = any (video_ids);
end $$;

-- views.sql

-- Views, which the API reads like tables.

-- Everything that a video can play from.
create or replace view data_sources as
select _id, site_id, video_id, duration, created_at, updated_at from sources where replaced_at is null
union all
select _id, site_id, video_id, duration::double precision, created_at, updated_at from self_hosted_sources;

-- What subscriptions open: everything, or one row for each playlist of the plan.
create or replace view subscription_entitlements as
  select case when playlist_id is null then subscriptions._id
              else left(md5(subscriptions._id || playlist_id), 24) end as _id,
    site_id, subscriptions.created_at, subscriptions.updated_at, consumer_id, subscriptions._id as subscription_id,
    plan_id, plans.name as plan_name, entitlement_type, playlist_id, current_period_end_at as expires_at
  from subscriptions
  join plans using (site_id)
  left join lateral unnest(playlist_ids) as playlist_id on entitlement_type = 'tiered'
  where plans._id = plan_id and holds(status, cancel_at_period_end, current_period_end_at);

-- What a consumer may watch by name or in a playlist, as they read it themselves.
create or replace view own_video_entitlements as
  select _id, site_id, created_at, updated_at, consumer_id, video_id, transaction_id, transaction_type, expires_at
  from video_entitlements
  union all
  select left(md5(entitlement._id || video._id), 24), entitlement.site_id, entitlement.created_at,
    entitlement.updated_at, consumer_id, video._id, transaction_id, transaction_type, expires_at
  from playlist_entitlements as entitlement cross join lateral videos_within(site_id, playlist_id) as video;

-- The publishers of a channel as the API shows them.
create or replace view users as
select
  publishers._id, site_id, memberships.created_at,
  greatest(publishers.updated_at, memberships.updated_at) as updated_at,
  email collate "C" as email, first_name, last_name, phone_number, role, array[role] as role_ids, time_zone,
  notifications_enabled, sign_in_count, current_sign_in_at, current_sign_in_ip, last_sign_in_at, last_sign_in_ip,
  to_tsvector(
    'simple'::regconfig, regexp_replace(coalesce(name, '') || ' ' || email, '[^[:alnum:]]+', ' ', 'g')
  ) as search
from memberships join publishers on publishers._id = publisher_id;

-- The changes of videos as the API shows them.
create or replace view video_versions as
select version._id collate "C" as _id, site_id, version.created_at, version.created_at as updated_at, videos._id as video_id,
  number, caller, author, fields, before, after
from videos cross join lateral versions_of_video(videos) as version;

-- triggers/channels.sql

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

-- triggers/consumers.sql

-- What the rows of consumers count.

-- Counts the entitlements of consumers.
create or replace function note_entitlements_given() returns trigger language plpgsql as $$
begin
  perform count_entitlements(tg_table_name, array_agg(site_id), array_agg(consumer_id), array_agg(held))
  from (select site_id, consumer_id, count(*) as held from new_rows group by 1, 2) as given;
  return null;
end $$;

create or replace function note_entitlements_taken() returns trigger language plpgsql as $$
begin
  perform count_entitlements(tg_table_name, array_agg(site_id), array_agg(consumer_id), array_agg(-held))
  from (select site_id, consumer_id, count(*) as held from old_rows group by 1, 2) as taken;
  return null;
end $$;

create or replace trigger video_entitlements_given after insert on video_entitlements
  referencing new table as new_rows for each statement execute function note_entitlements_given();
create or replace trigger video_entitlements_taken after delete on video_entitlements
  referencing old table as old_rows for each statement execute function note_entitlements_taken();
create or replace trigger playlist_entitlements_given after insert on playlist_entitlements
  referencing new table as new_rows for each statement execute function note_entitlements_given();
create or replace trigger playlist_entitlements_taken after delete on playlist_entitlements
  referencing old table as old_rows for each statement execute function note_entitlements_taken();

-- Counts the payments of consumers.
create or replace function note_payment() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform count_payments(old.site_id, old.consumer_id); end if;
  if tg_op <> 'DELETE' then perform count_payments(new.site_id, new.consumer_id); end if;
  return null;
end $$;

create or replace trigger transactions_noted
  after insert or delete or update of consumer_id, provider, pass_plan_id on transactions
  for each row execute function note_payment();
create or replace trigger subscriptions_noted
  after insert or delete or update of consumer_id, payment_provider on subscriptions
  for each row execute function note_payment();

-- triggers/history.sql

-- Histories with rules of their own, and their end. Those that follow from the contract are in generated/history.sql.

-- Linked devices. A device that nobody has linked yet is no record: its row waits for a viewer to enter the PIN.
create or replace function note_linked_device() returns trigger language plpgsql as $$
declare
  hidden constant text[] := tg_argv[0];
begin
  if tg_op = 'UPDATE' and old.consumer_id is not distinct from new.consumer_id then
    return null;
  end if;
  if tg_op <> 'INSERT' and old.consumer_id is not null and pg_trigger_depth() = 1 then
    perform add_change(old.site_id, 'linked_device.deleted', tg_table_name, old._id, to_jsonb(old) - hidden);
  end if;
  if tg_op <> 'DELETE' and new.consumer_id is not null then
    perform add_change(new.site_id, 'linked_device.created', tg_table_name, new._id, to_jsonb(new) - hidden);
  end if;
  return null;
end $$;

create or replace trigger linked_devices_history after insert or update of consumer_id or delete on linked_devices
  for each row execute function note_linked_device('{pin_nonce,pin_digest,device_code_digest}');

-- The keys of a channel. The first ones come with the channel.
create or replace function note_rotated_key() returns trigger language plpgsql as $$
begin
  perform add_change(
    new.site_id, 'key.rotated', tg_table_name, new._id, jsonb_build_object('_id', new._id, 'kind', new.kind)
  ) from api_keys where site_id = new.site_id and kind = new.kind and _id <> new._id limit 1;
  return null;
end $$;

create or replace trigger api_keys_history after insert on api_keys for each row execute function note_rotated_key();

-- The team of a channel.
create or replace function note_member() returns trigger language plpgsql as $$
declare
  member constant memberships := case when tg_op = 'DELETE' then old else new end;
  verb   constant text := case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'updated' else 'deleted' end;
begin
  if tg_op = 'DELETE' and not exists (select from channels where _id = member.site_id)
    or tg_op = 'UPDATE' and old.role = new.role then
    return null;
  end if;
  perform add_change(
    member.site_id, 'member.' || verb, tg_table_name, member.publisher_id,
    jsonb_build_object('_id', member.publisher_id, 'role', member.role, 'email', (
      select email from publishers where _id = member.publisher_id
    )),
    case when tg_op = 'UPDATE' then jsonb_build_object('role', old.role) end
  );
  return null;
end $$;

create or replace trigger memberships_history after insert or update of role or delete on memberships
  for each row execute function note_member();

-- A publisher signs in to all their channels at once.
create or replace function note_publisher() returns trigger language plpgsql as $$
begin
  perform add_change(site_id, 'publisher.signed_in', tg_table_name, new.publisher_id, jsonb_build_object(
    '_id', new.publisher_id
  )) from memberships where publisher_id = new.publisher_id;
  return null;
end $$;

create or replace trigger publisher_sessions_history after insert on publisher_sessions
  for each row execute function note_publisher();

-- Rows that are deleted with a video for good, or with a channel, are not kept.
create or replace function keep_nothing() returns trigger language plpgsql as $$
begin
  perform set_config('zoetrope.keeps_deleted', 'no', true);
  return null;
end $$;

create or replace trigger channels_not_kept before delete on channels for each statement execute function keep_nothing();
create or replace trigger videos_not_kept before delete on videos for each statement execute function keep_nothing();

-- The history of a channel ends with it.
create or replace function forget_history() returns trigger language plpgsql as $$
begin
  delete from events where site_id = old._id;
  delete from idempotent_requests where site_id = old._id;
  return null;
end $$;

create or replace trigger channels_history_end after delete on channels for each row execute function forget_history();

-- triggers/media.sql

-- The encoded amount of each source, and what videos show about their files.

-- Adds up the windows of each track in made_tracks.
create or replace function add_made_window() returns trigger language plpgsql as $$
begin
  insert into made_tracks (site_id, source_id, track, windows, bytes)
  select site_id, new.source_id, new.track, 1, coalesce(new.bytes, 0) from sources where _id = new.source_id
  on conflict (site_id, source_id, track) do update set
    windows = made_tracks.windows + excluded.windows, bytes = made_tracks.bytes + excluded.bytes;
  return null;
end $$;

create or replace function take_made_windows() returns trigger language plpgsql as $$
begin
  update made_tracks set windows = made_tracks.windows - gone.windows, bytes = made_tracks.bytes - gone.bytes
  from (
    select source_id, track, count(*) as windows, coalesce(sum(bytes), 0) as bytes
    from removed where made_at is not null group by source_id, track
  ) as gone
  join sources on sources._id = gone.source_id
  where made_tracks.site_id = sources.site_id and made_tracks.source_id = gone.source_id
    and made_tracks.track = gone.track;
  return null;
end $$;

create or replace trigger media_windows_put after insert on media_windows
  for each row when (new.made_at is not null) execute function add_made_window();
create or replace trigger media_windows_made after update on media_windows
  for each row when (old.made_at is null and new.made_at is not null) execute function add_made_window();
create or replace trigger media_windows_removed after delete on media_windows
  referencing old table as removed for each statement execute function take_made_windows();

-- Copies files at external URLs to the row of their video. Writers lock that row first, and set its status themselves
-- (features/self-hosted).
create or replace function follow_self_hosted() returns trigger language plpgsql as $$
declare
  changed self_hosted_sources := case when tg_op = 'DELETE' then old else new end;
begin
  if tg_op = 'DELETE' then
    delete from ad_timings where site_id = old.site_id and video_id = old.video_id and data_source_id = old._id;
  end if;
  update videos set
    updated_at = now(),
    data_sources = data_sources_of(videos),
    video_source_types = video_source_types_of(videos)
  where site_id = changed.site_id and _id = changed.video_id;
  return null;
end $$;

create or replace trigger self_hosted_sources_followed after insert or update or delete on self_hosted_sources
  for each row execute function follow_self_hosted();

-- The sweep of the media storage deletes the files of these.
create or replace function note_ended_sources() returns trigger language plpgsql as $$
begin
  insert into ended_media (_id) select _id from gone on conflict do nothing;
  return null;
end $$;

-- The same for uploaded audio tracks.
create or replace function note_ended_audio() returns trigger language plpgsql as $$
begin
  insert into ended_media (_id) select file_id from gone where file_id is not null on conflict do nothing;
  return null;
end $$;

create or replace trigger audio_tracks_ended after delete on audio_tracks
  referencing old table as gone for each statement execute function note_ended_audio();

create or replace trigger sources_ended after delete on sources
  referencing old table as gone for each statement execute function note_ended_sources();

-- triggers/playlists.sql

-- What playlists show about their videos and pictures.

-- Counts the videos that viewers see. Playlists are locked first, so that the update sees what other transactions have
-- committed, and in the order of their keys, to avoid deadlock.
create or replace function count_playlist_videos() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if tg_op = 'INSERT' then
    select array_agg(site_id) as sites, array_agg(playlist_id) as ids, array_agg(step) as steps into changed from (
      select site_id, playlist_id, count(*) filter (where shown) as step from new_rows group by 1, 2
    ) as counted;
  elsif tg_op = 'DELETE' then
    select array_agg(site_id) as sites, array_agg(playlist_id) as ids, array_agg(step) as steps into changed from (
      select site_id, playlist_id, -count(*) filter (where shown) as step from old_rows group by 1, 2
    ) as counted;
  else
    select array_agg(site_id) as sites, array_agg(playlist_id) as ids, array_agg(step) as steps into changed from (
      select site_id, playlist_id, sum(step)::bigint as step from (
        select site_id, playlist_id, 1 as step from new_rows where shown
        union all select site_id, playlist_id, -1 from old_rows where shown
      ) as both_rows group by 1, 2
    ) as counted;
  end if;
  if changed.ids is null then return null; end if;

  perform from playlists
  join unnest(changed.sites, changed.ids) as held (site, playlist) on site_id = site and _id = playlist
  order by site_id, _id for no key update of playlists;
  -- A separate statement, because it has to see what was committed while this one waited for the locks.
  update playlists set playlist_item_count = playlist_item_count + step, related_video_ids = first_videos(site_id, _id),
    updated_at = case when tg_op = 'UPDATE' then updated_at else now() end
  from unnest(changed.sites, changed.ids, changed.steps) as counted (site, playlist, step)
  where site_id = site and _id = playlist;
  return null;
end $$;

create or replace trigger playlist_videos_inserted after insert on playlist_videos
  referencing new table as new_rows for each statement execute function count_playlist_videos();
create or replace trigger playlist_videos_updated after update on playlist_videos
  referencing old table as old_rows new table as new_rows for each statement execute function count_playlist_videos();
create or replace trigger playlist_videos_deleted after delete on playlist_videos
  referencing old table as old_rows for each statement execute function count_playlist_videos();

create or replace function keep_playlist_thumbnails() returns trigger language plpgsql as $$
begin
  new.thumbnails := shown_thumbnails(new.custom_thumbnail_url, new.custom_thumbnail_facts, '[]');
  return new;
end $$;

create or replace trigger playlists_thumbnails
  before insert or update of custom_thumbnail_url, custom_thumbnail_facts on playlists
  for each row execute function keep_playlist_thumbnails();

-- Entitlements outlive their playlist for a while (end_entitlements() in functions/money.sql), so they have no foreign key. This
-- does what it would: the playlist is there, and stays there until the entitlement is committed.
create or replace function check_entitled_playlist() returns trigger language plpgsql as $$
begin
  perform from playlists where site_id = new.site_id and _id = new.playlist_id for key share;
  if not found then
    raise foreign_key_violation using message = 'There is no such playlist.';
  end if;
  return new;
end $$;

create or replace trigger playlist_entitlements_checked before insert or update of site_id, playlist_id on playlist_entitlements
  for each row execute function check_entitled_playlist();

-- Not for the playlists of a channel that is deleted: its consumers are deleted too, with all that they have.
create or replace function note_removed_playlists() returns trigger language plpgsql as $$
begin
  insert into removed_playlists (_id, site_id, step)
  select gone._id, gone.site_id, current_step() from gone join channels using (site_id);
  return null;
end $$;

create or replace trigger playlists_removed after delete on playlists
  referencing old table as gone for each statement execute function note_removed_playlists();

-- triggers/search.sql

-- What videos and subtitles are found by, in the transaction that writes them.

create or replace function search_new_video() returns trigger language plpgsql as $$
begin
  insert into video_search (site_id, _id, created_at, active, deleted_at, words)
  values (new.site_id, new._id, new.created_at, new.active, new.deleted_at, words_of_video(new));
  insert into words_to_learn (site_id, video_id) values (new.site_id, new._id);
  return null;
end $$;

create or replace trigger videos_searched after insert on videos
  for each row execute function search_new_video();

create or replace function search_changed_words() returns trigger language plpgsql as $$
begin
  update video_search set words = words_of_video(new) where site_id = new.site_id and _id = new._id;
  insert into words_to_learn (site_id, video_id) values (new.site_id, new._id);
  return null;
end $$;

create or replace trigger videos_searched_words
  after update of title, internal_title, keywords, source_id, video_zobjects, description, short_description on videos
  for each row when (
    (old.title, old.internal_title, old.keywords, old.source_id, old.video_zobjects, old.description,
      old.short_description)
    is distinct from
    (new.title, new.internal_title, new.keywords, new.source_id, new.video_zobjects, new.description,
      new.short_description)
  ) execute function search_changed_words();

create or replace function search_changed_state() returns trigger language plpgsql as $$
begin
  update video_search set active = new.active, deleted_at = new.deleted_at
  where site_id = new.site_id and _id = new._id;
  return null;
end $$;

create or replace trigger videos_searched_state after update of active, deleted_at on videos
  for each row when ((old.active, old.deleted_at) is distinct from (new.active, new.deleted_at))
  execute function search_changed_state();

create or replace function forget_searched() returns trigger language plpgsql as $$
begin
  delete from video_search using gone where video_search.site_id = gone.site_id and video_search._id = gone._id;
  return null;
end $$;

create or replace trigger videos_unsearched after delete on videos
  referencing old table as gone for each statement execute function forget_searched();

-- Deleting a subtitle deletes its row here by the foreign key.
create or replace function search_subtitle() returns trigger language plpgsql as $$
begin
  delete from subtitle_search where site_id = new.site_id and _id = new._id;
  if new.active then
    insert into subtitle_search (site_id, _id, video_id, words)
    values (new.site_id, new._id, new.video_id, words_of_subtitle(new.site_id, new.vtt));
    insert into words_to_learn (site_id, video_id) values (new.site_id, new.video_id);
  end if;
  return null;
end $$;

create or replace trigger subtitles_searched after insert or update of vtt, active on subtitles
  for each row execute function search_subtitle();

-- triggers/videos.sql

-- The triggers of videos, in the order in which they run. PostgreSQL runs BEFORE triggers of the same event by name:
-- the names of the first group are chosen for this, and test/trigger-order.test.ts states the order. A new BEFORE
-- trigger must come before videos_written.

-- 1. BEFORE, when categories change: sets the playlists that contain the video. The trigger is called videos_filed on
-- insert, and videos_refiled on update.
create or replace function follow_categories() returns trigger language plpgsql as $$
begin
  new.related_playlist_ids := playlists_of_video(new.site_id, new._id, new.categories);
  return new;
end $$;

create or replace trigger videos_filed before insert on videos
  for each row when (new.categories <> '[]') execute function follow_categories();
create or replace trigger videos_refiled before update of categories on videos
  for each row when (new.categories is distinct from old.categories) execute function follow_categories();

-- 2. BEFORE, when the film changes: sets what the record shows about files. It reads sources, so writers update the
-- source before the video. It is limited to these columns, so that other updates cost less.
create or replace function follow_sources() returns trigger language plpgsql as $$
begin
  if new.media_source_id is not null or new.data_sources <> '[]' then
    new.data_sources := data_sources_of(new);
    new.video_source_types := video_source_types_of(new);
  end if;
  return new;
end $$;

create or replace trigger videos_sourced
  before update of status, duration, thumbnails, media_source_id, pending_source_id on videos
  for each row execute function follow_sources();

-- 3. BEFORE, always: videos_written in generated/records.sql builds the record. It reads every column, so it runs after all
-- triggers that set one.

-- AFTER, by row. These are independent of each other. This one moves ad breaks to the new film when a film is replaced.
create or replace function move_ad_timings() returns trigger language plpgsql as $$
begin
  update ad_timings set data_source_id = new.media_source_id, updated_at = now()
  where site_id = new.site_id and video_id = new._id and data_source_id = old.media_source_id;
  return null;
end $$;

create or replace trigger videos_ad_timings after update of media_source_id on videos
  for each row when (old.media_source_id <> new.media_source_id) execute function move_ad_timings();

-- Playlists show a video only while it is active and not deleted.
create or replace function follow_video_in_playlists() returns trigger language plpgsql as $$
begin
  update playlist_videos set shown = new.active and new.deleted_at is null
  where site_id = new.site_id and video_id = new._id;
  return null;
end $$;

create or replace trigger videos_in_playlists after update of active, deleted_at on videos for each row
  when ((old.active and old.deleted_at is null) is distinct from (new.active and new.deleted_at is null))
  execute function follow_video_in_playlists();

-- The sweep of the media storage deletes the image.
create or replace function note_replaced_poster() returns trigger language plpgsql as $$
begin
  insert into ended_media (_id) values (old.poster_image_id) on conflict do nothing;
  return null;
end $$;

create or replace trigger videos_poster_replaced after update of poster_image_id on videos
  for each row when (old.poster_image_id is distinct from new.poster_image_id and old.poster_image_id is not null)
  execute function note_replaced_poster();

-- Notifies event streams, which show progress in the dashboard.
create or replace function tell_of_media() returns trigger language plpgsql as $$
begin
  perform pg_notify('video_media', new.site_id || '/' || new._id);
  return null;
end $$;

create or replace trigger videos_told
  after update of status, status_reason, playable_at, complete_at, renditions, thumbnails, media_source_id,
    pending_source_id, deleted_at on videos
  for each row when (
    (old.status, old.status_reason, old.playable_at, old.complete_at, old.deleted_at, old.renditions, old.data_sources)
    is distinct from
    (new.status, new.status_reason, new.playable_at, new.complete_at, new.deleted_at, new.renditions, new.data_sources)
  ) execute function tell_of_media();

-- AFTER, by statement. The sweep of the media storage deletes the images.
create or replace function note_ended_posters() returns trigger language plpgsql as $$
begin
  insert into ended_media (_id) select poster_image_id from gone where poster_image_id is not null
  on conflict do nothing;
  return null;
end $$;

create or replace trigger videos_posters_ended after delete on videos
  referencing old table as gone for each statement execute function note_ended_posters();

-- Removes permanently deleted videos from programme guides.
create or replace function forget_guided_videos() returns trigger language plpgsql as $$
begin
  update program_guides as guide set updated_at = now(), video_ids = array(
    select kept.id from unnest(guide.video_ids) with ordinality as kept (id, place)
    where not exists (select from gone where gone.site_id = guide.site_id and gone._id = kept.id)
    order by kept.place
  )
  from gone where guide.site_id = gone.site_id and guide.video_ids @> array[gone._id];
  return null;
end $$;

create or replace trigger videos_unguided after delete on videos
  referencing old table as gone for each statement execute function forget_guided_videos();

-- Other tables whose triggers write to videos. This one copies chapters to the row. Writers lock the row of the video
-- first, so that each sees what the previous one wrote.
create or replace function show_segments() returns trigger language plpgsql as $$
declare
  segment segments := case when tg_op = 'DELETE' then old else new end;
begin
  update videos set
    updated_at = now(),
    segments = coalesce((
      select jsonb_agg(
        jsonb_build_object('_id', _id, 'description', description, 'start', start, 'end', "end") order by start, _id
      ) from segments where site_id = segment.site_id and video_id = segment.video_id
    ), '[]')
  where site_id = segment.site_id and _id = segment.video_id;
  return null;
end $$;

create or replace trigger segments_shown after insert or update or delete on segments
  for each row execute function show_segments();

create or replace function follow_rating() returns trigger language plpgsql as $$
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
end $$;

create or replace trigger video_ratings_counted after insert or update of rating or delete on video_ratings
  for each row execute function follow_rating();

-- triggers/zobjects.sql

-- Zobjects, and what other rows show about them.

create or replace function name_zobject_type() returns trigger language plpgsql as $$
begin
  new.zobject_type_title := new.zobject_type;
  return new;
end $$;

create or replace trigger zobjects_named before insert or update on zobjects
  for each row execute function name_zobject_type();

-- Counts the zobjects of each type.
create or replace function count_zobjects() returns trigger language plpgsql as $$
begin
  update zobject_types set zobject_count = zobject_count + changed.difference
  from (
    select site_id, zobject_type_id, (case when tg_op = 'INSERT' then 1 else -1 end) * count(*) as difference
    from changed_rows group by 1, 2
  ) as changed
  where zobject_types.site_id = changed.site_id and _id = changed.zobject_type_id;
  return null;
end $$;

create or replace trigger zobjects_counted_in after insert on zobjects
  referencing new table as changed_rows for each statement execute function count_zobjects();
create or replace trigger zobjects_counted_out after delete on zobjects
  referencing old table as changed_rows for each statement execute function count_zobjects();

-- Updates what videos show about changed zobjects.
create or replace function follow_zobjects() returns trigger language plpgsql as $$
begin
  perform show_zobjects(link.site_id, array_agg(distinct link.video_id))
  from new_rows as now join old_rows as was on was.site_id = now.site_id and was._id = now._id
  join zobject_videos as link on link.site_id = now.site_id and link.zobject_id = now._id
  where (was.title, was.description, was.active, was.zobject_type)
    is distinct from (now.title, now.description, now.active, now.zobject_type)
  group by link.site_id;
  return null;
end $$;

create or replace trigger zobjects_followed after update on zobjects
  referencing old table as old_rows new table as new_rows for each statement execute function follow_zobjects();

-- Updates both sides of a link between zobject and video.
create or replace function follow_zobject_videos() returns trigger language plpgsql as $$
begin
  perform from zobjects where (site_id, _id) in (select site_id, zobject_id from changed_rows)
    order by _id for no key update;
  update zobjects set
    updated_at = now(),
    video_ids = array(
      select video_id from zobject_videos as link
      where link.site_id = zobjects.site_id and link.zobject_id = zobjects._id order by place
    )
  where (site_id, _id) in (select distinct site_id, zobject_id from changed_rows);
  perform show_zobjects(site_id, array_agg(distinct video_id)) from changed_rows group by site_id;
  return null;
end $$;

create or replace trigger zobject_videos_added after insert on zobject_videos
  referencing new table as changed_rows for each statement execute function follow_zobject_videos();
create or replace trigger zobject_videos_removed after delete on zobject_videos
  referencing old table as changed_rows for each statement execute function follow_zobject_videos();

-- Updates the zobject of a link to a playlist. Its row is locked first, so that the update sees what other transactions
-- have committed.
create or replace function follow_zobject_playlists() returns trigger language plpgsql as $$
begin
  perform from zobjects where (site_id, _id) in (select site_id, zobject_id from changed_rows)
    order by _id for no key update;
  update zobjects set
    updated_at = now(),
    playlist_ids = array(
      select playlist_id from zobject_playlists as link
      where link.site_id = zobjects.site_id and link.zobject_id = zobjects._id order by place
    )
  where (site_id, _id) in (select distinct site_id, zobject_id from changed_rows);
  return null;
end $$;

create or replace trigger zobject_playlists_added after insert on zobject_playlists
  referencing new table as changed_rows for each statement execute function follow_zobject_playlists();
create or replace trigger zobject_playlists_removed after delete on zobject_playlists
  referencing old table as changed_rows for each statement execute function follow_zobject_playlists();

-- generated/counts.sql

-- Counts of lists: functions/lists.sql.
-- Written by `npm run generate-sql` from the contract. Do not edit it.

create or replace trigger videos_inserted after insert on videos
  for each row when (new.deleted_at is null) execute function note_list_insert();
create or replace trigger videos_updated after update on videos
  for each row when (old.deleted_at is null or new.deleted_at is null) execute function note_list_update();
create or replace trigger videos_deleted after delete on videos
  referencing old table as old_rows for each statement execute function note_list_delete();

create or replace trigger consumers_inserted after insert on consumers
  for each row execute function note_list_insert_plain();
create or replace trigger consumers_updated after update on consumers
  for each row execute function note_list_update_plain();
create or replace trigger consumers_deleted after delete on consumers
  referencing old table as old_rows for each statement execute function note_list_delete_plain();

-- generated/history.sql

-- The history of each table: note_change() in functions/history.sql explains the arguments.
-- Written by `npm run generate-sql` from the contract. Do not edit it.

create or replace trigger videos_history after insert or update or delete on videos
  for each row execute function note_change(
    'video',
    '{record}',
    '{
      complete_at, created_by, custom_thumbnail_facts, data_sources, duration, media_source_id, pending_source_id,
      playable_at, poster_image_id, poster_seconds, precise_duration, preview_url, rating, rating_count, rating_sum,
      related_playlist_ids, renditions, request_count, status, status_before_removal, status_reason, switches_at,
      transcoded, updated_at, video_source_types
    }',
    'versions',
    '{playable playable_at set, complete complete_at set, failed status is failed}'
  );
create or replace trigger subtitles_history after insert or update or delete on subtitles
  for each row execute function note_change('subtitle', '{}', '{updated_at, vtt}', 'kept');
create or replace trigger audio_tracks_history after insert or update or delete on audio_tracks
  for each row execute function note_change(
    'audio_track',
    '{facts, failures, file_id, source_id, track}',
    '{updated_at}',
    ''
  );
create or replace trigger subtitle_playlists_history after insert or update or delete on subtitle_playlists
  for each row execute function note_change('subtitle_playlist', '{}', '{updated_at}', 'kept');
create or replace trigger segments_history after insert or update or delete on segments
  for each row execute function note_change('segment', '{}', '{updated_at}', 'kept');
create or replace trigger ad_timings_history after insert or update or delete on ad_timings
  for each row execute function note_change('ad_timing', '{}', '{updated_at}', 'kept');
create or replace trigger video_content_rules_history after insert or update or delete on video_content_rules
  for each row execute function note_change('video_content_rule', '{}', '{updated_at}', 'kept');
create or replace trigger playlist_content_rules_history after insert or update or delete on playlist_content_rules
  for each row execute function note_change('playlist_content_rule', '{}', '{updated_at}', 'kept');
create or replace trigger category_content_rules_history after insert or update or delete on category_content_rules
  for each row execute function note_change('category_content_rule', '{}', '{updated_at}', 'kept');
create or replace trigger content_rule_profiles_history after insert or update or delete on content_rule_profiles
  for each row execute function note_change('content_rule_profile', '{search}', '{updated_at}', 'kept');
create or replace trigger zobject_types_history after insert or update or delete on zobject_types
  for each row execute function note_change('zobject_type', '{search}', '{updated_at, zobject_count}', 'kept');
create or replace trigger zobjects_history after insert or update or delete on zobjects
  for each row execute function note_change('zobject', '{search}', '{updated_at}', 'kept');
create or replace trigger self_hosted_sources_history after insert or update or delete on self_hosted_sources
  for each row execute function note_change('self_hosted_source', '{}', '{updated_at}', 'kept');
create or replace trigger video_imports_history after insert or update or delete on video_imports
  for each row execute function note_change(
    'import',
    '{search}',
    '{
      attempts, bytes, etag, failures, file_name, finished_at, held_by, held_until, media_source_id, progress,
      started_at, status, status_reason, total_bytes, updated_at, validator, video_id
    }',
    '',
    '{finished status is ready, failed status is failed}'
  );
create or replace trigger video_sources_history after insert or update or delete on video_sources
  for each row execute function note_change(
    'video_source',
    '{search}',
    '{
      added_count, changed_count, etag, failures, found_count, last_modified, reading_since, refresh_at, refreshed_at,
      revision, skipped_count, status, status_reason, updated_at, video_count
    }',
    'kept'
  );
create or replace trigger categories_history after insert or update or delete on categories
  for each row execute function note_change('category', '{search}', '{renamed, updated_at}', 'kept');
create or replace trigger playlists_history after insert or update or delete on playlists
  for each row execute function note_change(
    'playlist',
    '{filled_by, search}',
    '{custom_thumbnail_facts, updated_at}',
    'kept'
  );
create or replace trigger feeds_history after insert or update or delete on feeds
  for each row execute function note_change('feed', '{}', '{updated_at}', 'kept');
create or replace trigger feed_keys_history after insert or update or delete on feed_keys
  for each row execute function note_change('feed_key', '{digest, key}', '{updated_at}', 'kept');
create or replace trigger program_guides_history after insert or update or delete on program_guides
  for each row execute function note_change(
    'program_guide',
    '{search}',
    '{program_guide_entry_count, refresh_at, refreshed_at, status, status_reason, updated_at}',
    'kept'
  );
create or replace trigger apps_history after insert or update or delete on apps
  for each row execute function note_change(
    'app',
    '{app_key, client_secret, search}',
    '{updated_at}',
    'kept',
    '{rotated app_key changed, rotated client_secret changed}'
  );
create or replace trigger channels_history after update on channels
  for each row execute function note_change('account', '{}', '{storage_limit, updated_at}', '');
create or replace trigger named_keys_history after insert or update or delete on named_keys
  for each row execute function note_change('key', '{digest, search}', '{last_used_at, updated_at}', 'kept');
create or replace trigger webhooks_history after insert or update or delete on webhooks
  for each row execute function note_change(
    'webhook',
    '{failing_days, host, last_failed_on, previous_secret, previous_secret_until, sealed_secret}',
    '{failing_since, last_delivered_at, updated_at}',
    'kept',
    '{rotated sealed_secret changed}'
  );
create or replace trigger formats_history after update on formats
  for each row execute function note_change('formats', '{}', '{revision, updated_at}', '');
create or replace trigger consumers_history after insert or update or delete on consumers
  for each row execute function note_change(
    'consumer',
    '{parental_access_code, password_hash, password_token_digest, record, search}',
    '{
      current_sign_in_at, current_sign_in_ip, last_sign_in_at, last_sign_in_ip, pass_count, payment_providers,
      playlist_count, sign_in_count, transaction_count, updated_at, video_count
    }',
    'kept'
  );
create or replace trigger video_favorites_history after insert or update or delete on video_favorites
  for each row execute function note_change('video_favorite', '{}', '{updated_at}', 'kept');
create or replace trigger video_entitlements_history after insert or update or delete on video_entitlements
  for each row execute function note_change('entitlement', '{}', '{updated_at}', 'kept');
create or replace trigger playlist_entitlements_history after insert or update or delete on playlist_entitlements
  for each row execute function note_change('playlist_entitlement', '{}', '{updated_at}', 'kept');
create or replace trigger video_ratings_history after insert or update or delete on video_ratings
  for each row execute function note_change('video_rating', '{}', '{updated_at}', 'kept');
create or replace trigger sessions_history after insert or update or delete on sessions
  for each row execute function note_change('session', '{}', '{ends_at, expires_at, refreshed_at, updated_at}', '');
create or replace trigger uploads_history after insert or update or delete on uploads
  for each row execute function note_change(
    'upload',
    '{metadata}',
    '{
      created_by, expires_at, finished_at, hidden, offset, progress, source_id, status, updated_at, video_id
    }',
    '',
    '{finished finished_at set}'
  );
create or replace trigger upload_tokens_history after insert or update or delete on upload_tokens
  for each row execute function note_change('upload_token', '{digest}', '{begun, updated_at}', 'kept');
create or replace trigger plans_history after insert or update or delete on plans
  for each row execute function note_change('plan', '{search}', '{updated_at}', 'kept');
create or replace trigger pass_plans_history after insert or update or delete on pass_plans
  for each row execute function note_change('pass_plan', '{search}', '{updated_at}', 'kept');
create or replace trigger ad_tags_history after insert or update or delete on ad_tags
  for each row execute function note_change('ad_tag', '{search}', '{updated_at}', 'kept');
create or replace trigger subscriptions_history after insert or update or delete on subscriptions
  for each row execute function note_change('subscription', '{search}', '{updated_at}', 'kept');
create or replace trigger transactions_history after insert or update or delete on transactions
  for each row execute function note_change('transaction', '{search}', '{provider_id, updated_at}', 'kept');
create or replace trigger redemption_codes_history after insert or update or delete on redemption_codes
  for each row execute function note_change('redemption_code', '{search}', '{updated_at}', 'kept');
create or replace trigger app_credentials_history after delete on app_credentials
  for each row execute function note_change('', '{}', '{}', 'kept');
create or replace trigger consumer_tokens_history after delete on consumer_tokens
  for each row execute function note_change('', '{}', '{}', 'kept');
create or replace trigger playlist_videos_history after delete on playlist_videos
  for each row execute function note_change('', '{}', '{}', 'kept');
create or replace trigger zobject_videos_history after delete on zobject_videos
  for each row execute function note_change('', '{}', '{}', 'kept');
create or replace trigger zobject_playlists_history after delete on zobject_playlists
  for each row execute function note_change('', '{}', '{}', 'kept');
create or replace trigger video_source_items_history after delete on video_source_items
  for each row execute function note_change('', '{}', '{}', 'kept');
create or replace trigger image_files_history after delete on image_files
  for each row execute function note_change('', '{}', '{}', 'kept');

-- generated/images.sql

-- The images of deleted records go with them.
-- Written by `npm run generate-sql` from the contract. Do not edit it.

create or replace trigger videos_images after delete on videos
  referencing old table as gone for each statement execute function remove_images();
create or replace trigger zobjects_images after delete on zobjects
  referencing old table as gone for each statement execute function remove_images();
create or replace trigger playlists_images after delete on playlists
  referencing old table as gone for each statement execute function remove_images();

-- generated/records.sql

-- The records that rows keep ready, as the API sends them.
-- Written by `npm run generate-sql` from the contract. Do not edit it.

create or replace function video_record(video videos) returns text
language plpgsql stable as $$
begin
  return (
    select row_to_json(record)::text from (select
      video._id, video.site_id, iso(video.created_at) as created_at, iso(video.updated_at) as updated_at, video.title,
      video.friendly_title, video.internal_title, video.description, video.short_description, video.keywords,
      video.active, iso(video.enable_at) as enable_at, iso(video.disable_at) as disable_at,
      iso(video.published_at) as published_at, video.featured, video.mature_content, video.parental_guidelines_rating,
      video.country, video.language, video.genre, video.episode, video.season, video.series_id, video.source_id,
      video.foreign_id, video.youtube_id, video.vimeo_id, video.hulu_id, video.crunchyroll_id, video.kaltura_id,
      video.mrss_id, video.discovery_url, video.custom_thumbnail_url, video.source_url, video.formats,
      video.live_event, video.on_air, iso(video.on_air_at) as on_air_at, iso(video.off_air_at) as off_air_at,
      video.subscription_required, video.pass_required, video.purchase_required,
      video.purchase_price::text as purchase_price, video.rental_required, video.rental_price::text as rental_price,
      video.rental_duration, video.registration_required, video.redemption_code_required,
      video.subscription_ads_enabled, video.marketplace_ids, video.preview_ids, video.custom_attributes,
      video.transcriptions_enabled, video.translations_enabled, video.playout_ad, video.playout_bumper,
      video.playout_slate, video.status, video.status_reason, iso(video.playable_at) as playable_at,
      iso(video.complete_at) as complete_at, video.transcoded, video.duration, video.precise_duration, video.rating,
      video.request_count, video.categories,
      shown_thumbnails(video.custom_thumbnail_url, video.custom_thumbnail_facts, video.thumbnails) as thumbnails,
      video.preview_url, video.images, video.renditions, video.data_sources, video.segments, video.video_zobjects,
      video.zobject_ids, video.related_playlist_ids, video.video_source_types, video.content_rule_profile_id,
      iso(video.deleted_at) as deleted_at
    ) as record
  );
end $$;

create or replace function keep_video_record() returns trigger language plpgsql as $$
begin
  new.record := video_record(new);
  return new;
end $$;

-- It reads every column, so it must be the last BEFORE trigger that sets one.
create or replace trigger videos_written before insert or update on videos
  for each row execute function keep_video_record();

create or replace function consumer_record(consumer consumers) returns text
language plpgsql stable as $$
begin
  return (
    select row_to_json(record)::text from (select
      consumer._id, consumer.site_id, iso(consumer.created_at) as created_at, iso(consumer.updated_at) as updated_at,
      consumer.email, null as rss_token, null as remember_token, consumer.name, consumer.birthday, consumer.sex,
      consumer.terms, consumer.updates, consumer.parental_access_code, consumer.parental_access_rating,
      consumer.super_watcher, consumer.stripe_id, consumer.braintree_id, consumer.recurly_code, consumer.custom,
      iso(consumer.email_verified_at) as email_verified_at, consumer.sign_in_count,
      iso(consumer.current_sign_in_at) as current_sign_in_at, consumer.current_sign_in_ip,
      iso(consumer.last_sign_in_at) as last_sign_in_at, consumer.last_sign_in_ip, consumer.video_count,
      consumer.playlist_count, consumer.pass_count, consumer.transaction_count, consumer.payment_providers,
      null as has_trialed, null as days_trialed, null as linked_devices, null as subscription_count,
      null as subscription_ids, null as subscription_plans
    ) as record
  );
end $$;

create or replace function keep_consumer_record() returns trigger language plpgsql as $$
begin
  new.record := consumer_record(new);
  return new;
end $$;

-- It reads every column, so it must be the last BEFORE trigger that sets one.
create or replace trigger consumers_written before insert or update on consumers
  for each row execute function keep_consumer_record();

-- Writes the rows whose record is not what it should be. db/migrate.ts calls it after this file has changed.
create or replace function write_records_again() returns void language plpgsql as $$
begin
  update videos set record = record where record is distinct from video_record(videos);
  update consumers set record = record where record is distinct from consumer_record(consumers);
end $$;
