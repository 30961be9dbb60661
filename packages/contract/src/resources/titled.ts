import { text } from '../fields.js'

/** The fields of records that are shown, found and addressed by a title. */
export const titled = (about: string, maxLength = 500) =>
  ({
    title: text({ about, required: true, maxLength, filter: ['is', 'not'], search: true, sort: true }),
    friendly_title: text({
      about: 'The title in a form for URLs; derived from the title by default.',
      always: true,
      maxLength,
      format: 'slug',
      filter: ['is', 'not'],
    }),
  }) as const
