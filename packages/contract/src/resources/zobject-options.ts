import { flag, text } from '../fields.js'

/** What reading records that zobjects are attached to can be asked for. */
export const zobjectOptions = (whose: string, shownAs: string) =>
  ({
    zobject_details: flag({ about: `${whose} show the whole of their zobjects, as ${shownAs}.` }),
    zobject_types: text({ about: 'With zobject_details, only those of these types, separated by commas.' }),
    zobject_fields: text({ about: 'With zobject_details, only these fields of them, separated by commas.' }),
  }) as const
