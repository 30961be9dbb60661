-- Where viewers of a channel sign in, subscribe and buy. The share page of a video that they may not watch links to it.
alter table channels
  add column sign_in_url text,
  add column subscribe_url text,
  add column purchase_url text;
