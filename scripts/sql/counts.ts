import { hidingField, type Resource } from '@zoetrope/contract'
import { head } from './lines.js'

/** Rows that can be hidden and restored are counted apart; functions/lists.sql has both ways. */
function triggerOf(resource: Resource): string {
  const { plural, keptDays } = resource
  const isHidden = hidingField(resource) === 'active'
  if (isHidden !== (keptDays !== undefined))
    throw new Error(
      `functions/lists.sql cannot count ${plural}: it needs both active and deleted_at, or neither.`,
    )
  return `create or replace trigger ${plural}_counted after insert or update or delete on ${plural}
  for each row execute function note_list_change${isHidden ? '' : '_plain'}();
`
}

/** The triggers that count the lists of counted resources. */
export const countsSql = (resources: readonly Resource[]): string =>
  `${head('Counts of lists: functions/lists.sql.')}${resources
    .filter(({ counted }) => counted)
    .map(triggerOf)
    .join('')}`
