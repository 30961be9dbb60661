-- Words find profiles of rules: by what they are called, and by what they are for.

alter table content_rule_profiles add column search tsvector generated always as (
  words_of(title, description)
) stored;
create index content_rule_profiles_by_words on content_rule_profiles using gin (site_id, search);
