-- An address that was made before a video had rules does not know the device or the site it was made for. A rule about
-- them refuses it then, instead of taking it for some other device, so that whoever has it asks again.

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
