-- How the player of a channel looks and begins, where the address of a player does not say otherwise.

alter table channels
  add column player_color    text,
  add column player_logo_url text,
  add column player_autoplay boolean not null default false,
  add column player_muted    boolean not null default false,
  add column player_loop     boolean not null default false,
  add column player_controls boolean not null default true;
