import { type Field, isShown, type Resource } from '@zoetrope/contract'
import { head, inLines } from './lines.js'

/** Fields of records that are more than their column: the call of the function that has the rule. */
const rules: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  videos: {
    thumbnails:
      'shown_thumbnails(video.custom_thumbnail_url, video.custom_thumbnail_facts, video.thumbnails)',
  },
}

/** Tables whose trigger also sets other columns: triggers/videos.sql. */
const withOwnTrigger = ['videos']

function expressionOf({ name: row, plural }: Resource, name: string, field: Field): string {
  const column = `${row}.${name}`
  const rule = rules[plural]?.[name]
  if (rule !== undefined) return `${rule} as ${name}`
  if (field.derived) return `null as ${name}`
  if (field.kind === 'timestamp') return `iso(${column}) as ${name}`
  if (field.kind === 'money') return `${column}::text as ${name}`
  if (field.kind === 'secret') return `encode(${column}, 'base64') as ${name}`
  return column
}

function recordOf(resource: Resource): string {
  const { name, plural, fields } = resource
  const columns = Object.entries(fields)
    .filter(([, field]) => isShown(field))
    .map(([field, facts]) => expressionOf(resource, field, facts))
  return `create or replace function ${name}_record(${name} ${plural}) returns text
language plpgsql stable as $$
begin
  return (
    select row_to_json(record)::text from (select
${inLines(columns, '      ')}
    ) as record
  );
end $$;
${withOwnTrigger.includes(plural) ? '' : triggerOf(resource)}`
}

const triggerOf = ({ name, plural }: Resource) => `
create or replace function keep_${name}_record() returns trigger language plpgsql as $$
begin
  new.record := ${name}_record(new);
  return new;
end $$;

-- It reads every column, so it must be the last BEFORE trigger that sets one.
create or replace trigger ${plural}_written before insert or update on ${plural}
  for each row execute function keep_${name}_record();
`

const rewrite = ({ name, plural }: Resource) =>
  `  update ${plural} set record = record where record is distinct from ${name}_record(${plural});\n`

/**
 * The functions that make the records of counted resources, kept ready in their rows. Functions over rows have text bodies:
 * PostgreSQL 15.20 refuses to add a column with a default to a table whose row type occurs in a standard body (`return …`).
 * PL/pgSQL keeps the plan; before PostgreSQL 18 a function in SQL is planned by every statement.
 */
export function recordsSql(resources: readonly Resource[]): string {
  const counted = resources.filter((resource) => resource.counted)
  return `${head('The records that rows keep ready, as the API sends them.')}${counted.map(recordOf).join('\n')}
-- Writes the rows whose record is not what it should be. db/migrate.ts calls it after this file has changed.
create or replace function write_records_again() returns void language plpgsql as $$
begin
${counted.map(rewrite).join('')}end $$;
`
}
