-- A link for the first sign-in, or one for somebody who has forgotten the password. Neither works as the other.
alter table sign_in_links add column purpose text not null default 'welcome' check (purpose in ('welcome', 'new_password'));
