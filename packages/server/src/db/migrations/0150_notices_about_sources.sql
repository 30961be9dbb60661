-- What of a source is not published, for its record.
alter table sources add column notice text generated always as (facts ->> 'audioLeftOut') stored;
