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
