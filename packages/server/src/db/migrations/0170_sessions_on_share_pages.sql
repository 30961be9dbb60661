-- Viewers can sign in on share pages. Such a session has no app.
alter table sessions alter column app_id drop not null;
