-- Words find subscriptions, transactions and codes too, and videos by the titles of what is attached to them.

create function words_of(variadic texts text[]) returns tsvector language sql immutable parallel safe
return to_tsvector('simple'::regconfig, regexp_replace(array_to_string(texts, ' '), '[^[:alnum:]]+', ' ', 'g'));

alter table subscriptions add column search tsvector generated always as (
  words_of(plan_name, coupon_code, third_party_id, stripe_id, braintree_id, recurly_code, receipt_id)
) stored;
create index subscriptions_by_words on subscriptions using gin (site_id, search);

alter table transactions add column search tsvector generated always as (
  words_of(description, stripe_id, braintree_id, recurly_invoice_number, roku_id, apple_id, third_party_id)
) stored;
create index transactions_by_words on transactions using gin (site_id, search);

alter table redemption_codes add column search tsvector generated always as (
  words_of(code, regexp_replace(code, '(.{4})', '\1 ', 'g'), content_title)
) stored;
create index redemption_codes_by_words on redemption_codes using gin (site_id, search);

create function video_words(title text, keywords text[], source_id text, zobjects jsonb) returns tsvector
language sql immutable parallel safe
return search_words(title, keywords, concat_ws(' ', source_id, (
  select string_agg(zobject ->> 'title', ' ') from jsonb_array_elements(zobjects) as zobject
)));

alter table videos drop column search;
alter table videos add column search tsvector generated always as (
  video_words(title, keywords, source_id, video_zobjects)
) stored;
create index videos_by_search on videos using gin (site_id, search);
