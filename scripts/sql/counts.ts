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
  const [inserted, kind] = isHidden
    ? ['for each row when (new.deleted_at is null) execute function note_list_insert()', '']
    : [
        'referencing new table as new_rows for each statement execute function note_list_insert_plain()',
        '_plain',
      ]
  return `create or replace trigger ${plural}_inserted after insert on ${plural}
  ${inserted};
create or replace trigger ${plural}_updated after update on ${plural}
  referencing old table as old_rows new table as new_rows for each statement execute function note_list_update${kind}();
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
