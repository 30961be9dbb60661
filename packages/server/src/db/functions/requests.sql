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
