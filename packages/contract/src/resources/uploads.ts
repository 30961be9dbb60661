import { choice, id, integer, map, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

export const uploads = defineResource({
  name: 'upload',
  plural: 'uploads',
  about:
    'A resumable upload. Its bytes go to /uploads/tus/ with its id behind it, which is all that is needed to go on with it. Lists show those that are not finished.',
  access: {},
  // Whoever knows the id may send bytes.
  roles: ['owner', 'editor'],
  operations: ['list', 'get', 'create', 'update', 'remove'],
  listOptions: {
    filters: map({ about: 'The filters as older programs write them, such as filters[status]=finished.' }),
  },
  fields: {
    file_name: text({
      about:
        "The file's name on the machine it comes from. Where none is given: the title of its video, else Untitled.",
      always: true,
      default: 'Untitled',
    }),
    length: integer({
      about: 'The size of the whole file, in bytes.',
      required: true,
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
    }),
    video_id: id({
      about: 'The video that the file is for; null for a new one, and then the one that was made of it.',
      filter: ['is'],
    }),
    offset: integer({
      about: 'How many bytes have arrived, as far as was noted; at most some seconds ago while more come.',
      computed: true,
      always: true,
      max: Number.MAX_SAFE_INTEGER,
    }),
    progress: integer({ about: 'The same in per cent.', computed: true, always: true, max: 100 }),
    status: choice(['uploading', 'finished'], {
      about: 'Whether all of it has arrived and belongs to its video.',
      computed: true,
      always: true,
      filter: ['is'],
    }),
    message: text({
      about:
        'What the program that sends it says about it. It is all that an update changes: how far it is follows from the bytes that have arrived.',
      maxLength: 2000,
    }),
    expires_at: timestamp({
      about: 'When it is given up unless more comes before; a finished one is forgotten then.',
      computed: true,
      always: true,
    }),
  },
})
