import { hidingField, type Resource } from '@zoetrope/contract'
import { head } from './lines.js'

/** Rows that can be hidden and restored are counted apart; functions/lists.sql has both ways. */
function triggersOf(resource: Resource): string {
  const { plural, keptDays } = resource
  const isHidden = hidingField(resource) === 'active'
  if (isHidden !== (keptDays !== undefined))
    throw new Error(
      `functions/lists.sql cannot count ${plural}: it needs both active and deleted_at, or neither.`,
    )
  const kind = isHidden ? '' : '_plain'
  const [inserted, updated] = isHidden
    ? [' when (new.deleted_at is null)', ' when (old.deleted_at is null or new.deleted_at is null)']
    : ['', '']
  return `create or replace trigger ${plural}_inserted after insert on ${plural}
  for each row${inserted} execute function note_list_insert${kind}();
create or replace trigger ${plural}_updated after update on ${plural}
  for each row${updated} execute function note_list_update${kind}();
create or replace trigger ${plural}_deleted after delete on ${plural}
  referencing old table as old_rows for each statement execute function note_list_delete${kind}();
`
}

/** The triggers that count the lists of counted resources. */
export const countsSql = (resources: readonly Resource[]): string =>
  `${head('Counts of lists: functions/lists.sql.')}${resources
    .filter(({ counted }) => counted)
    .map(triggersOf)
    .join('\n')}`
