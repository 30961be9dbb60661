import { change, choice, file, flag, id, integer, nested, objects, text, timestamp } from '../fields.js'
import { limits } from '../limits.js'

const attachment = file({
  about: 'A JPEG, PNG, WebP or GIF, as base64 or as a part of a multipart body; required for a new image.',
  maxBytes: limits.image_attachment_bytes.value,
})
const about = {
  title: text({ about: 'Its title.' }),
  caption: text({ about: 'Shown beside it.' }),
} as const
const how = 'an object with an id changes one, an object without adds one, _destroy removes one'

/** Artwork of a record, and how it is changed. */
export const images = {
  images: objects(
    {
      _id: id({ about: 'Its id.', always: true }),
      ...about,
      layout: text({ about: 'landscape, poster or square.' }),
      url: text({ about: 'Where it is.', always: true, maxLength: 2000 }),
      width: integer({ about: 'Pixels across.' }),
      height: integer({ about: 'Pixels down.' }),
      updated_at: timestamp({ about: 'When it last changed.' }),
    },
    { about: 'Artwork uploaded by the publisher.', item: 'image' },
  ),
} as const

export const imageChanges = {
  images_attributes: nested(
    {
      ...change,
      ...about,
      layout: choice(['landscape', 'poster', 'square'], { about: 'Defaults to landscape.' }),
      attachment,
    },
    {
      about: `Changes to images, at most ${limits.images.value} in all: ${how}.`,
      writeOnly: true,
      item: 'image',
    },
  ),
  custom_thumbnail: file({
    about: 'An image to use as its thumbnail: its URL becomes custom_thumbnail_url.',
    maxBytes: limits.image_attachment_bytes.value,
  }),
  delete_custom_thumbnail: flag({ about: 'Clears custom_thumbnail_url.', writeOnly: true }),
} as const

/** The same for zobjects, whose images have other names. */
export const pictureChanges = {
  pictures_attributes: nested(
    { ...change, ...about, attachment },
    {
      about: `Changes to pictures, at most ${limits.images.value} in all: ${how}.`,
      writeOnly: true,
      item: 'picture',
    },
  ),
} as const
