import { text } from '../fields.js'

/** What is shown, found and addressed by a title. */
export const titled = (about: string, maxLength = 500) =>
  ({
    title: text({ about, required: true, maxLength, filter: ['is', 'not'], search: true, sort: true }),
    friendly_title: text({
      about: 'The title as part of an address; made from the title when absent.',
      always: true,
      maxLength,
      format: 'slug',
      filter: ['is', 'not'],
    }),
  }) as const
