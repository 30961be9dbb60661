import { flag, text } from '../fields.js'

/** For apps that show only videos that can be watched where they run. */
export const dpt = flag({ about: 'Leaves out records that content rules deny to the caller.' })

/** Options for reading records that zobjects are attached to. */
export const zobjectOptions = (whose: string, shownAs: string) =>
  ({
    zobject_details: flag({ about: `${whose} show the complete records of their zobjects, as ${shownAs}.` }),
    zobject_types: text({ about: 'With zobject_details, only those of these types, separated by commas.' }),
    zobject_fields: text({ about: 'With zobject_details, only these fields of them, separated by commas.' }),
  }) as const

/** Options for lists of records that can be restored. */
export const keptListOptions = (days: number) => ({
  deleted: flag({
    about: `Records deleted in the last ${days} days instead of the others. Only for the admin key.`,
  }),
})

/** Options for reading one of them. */
export const keptReadOptions = (days: number) => ({
  deleted: flag({
    about: `The record even if it was deleted in the last ${days} days. Only for the admin key.`,
  }),
})

/** The option of records that can show related ones. */
export const includeOption = (includes: object) => ({
  include: text({
    about: `Related records to show, separated by commas: ${Object.keys(includes).join(', ')}.`,
  }),
})
