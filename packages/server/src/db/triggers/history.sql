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
    perform add_change(old.site_id, 'linked_device.deleted', tg_table_name, old._id, hstore(old) - hidden);
  end if;
  if tg_op <> 'DELETE' and new.consumer_id is not null then
    perform add_change(new.site_id, 'linked_device.created', tg_table_name, new._id, hstore(new) - hidden);
  end if;
  return null;
end $$;

create or replace trigger linked_devices_history after insert or update of consumer_id or delete on linked_devices
  for each row execute function note_linked_device('{pin_nonce,pin_digest,device_code_digest}');

-- The keys of a channel. The first ones come with the channel.
create or replace function note_rotated_key() returns trigger language plpgsql as $$
begin
  perform add_change(
    new.site_id, 'key.rotated', tg_table_name, new._id, hstore('{_id,kind}', array[new._id, new.kind])
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
    hstore('{_id,role,email}', array[member.publisher_id, member.role, (
      select email from publishers where _id = member.publisher_id
    )]),
    case when tg_op = 'UPDATE' then hstore('role', old.role) end
  );
  return null;
end $$;

create or replace trigger memberships_history after insert or update of role or delete on memberships
  for each row execute function note_member();

-- Invitations to the team, as the API shows people. Accepting one is the event of the new member, and what expires is no event.
create or replace function note_invitation() returns trigger language plpgsql as $$
declare
  hidden  constant text[] := '{digest,expires_at,updated_at}';
  invited constant invitations := case when tg_op = 'DELETE' then old else new end;
  changes hstore;
begin
  if tg_op = 'UPDATE' then
    changes := slice(hstore(old), akeys(hstore(new) - hstore(old))) - hidden;
  end if;
  if changes = '' or tg_op = 'DELETE' and (
    pg_trigger_depth() > 1 or old.expires_at <= now() or exists (
      select from memberships join publishers on publishers._id = publisher_id
      where site_id = old.site_id and lower(email) = old.email
    )
  ) then
    return null;
  end if;
  perform add_change(
    invited.site_id,
    'invitation.' || case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'updated' else 'deleted' end,
    tg_table_name, invited._id,
    hstore(invited) - '{digest,expires_at}'::text[]
      || hstore('{role_ids,sign_in_count}', array[array[invited.role]::text, '0']),
    changes
  );
  return null;
end $$;

create or replace trigger invitations_history after insert or update or delete on invitations
  for each row execute function note_invitation();

-- A publisher signs in to all their channels at once.
create or replace function note_publisher() returns trigger language plpgsql as $$
begin
  perform add_change(
    site_id, 'publisher.signed_in', tg_table_name, new.publisher_id, hstore('_id', new.publisher_id)
  ) from memberships where publisher_id = new.publisher_id;
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
