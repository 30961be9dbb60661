import { choice, id, integer, map, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

export const uploads = defineResource({
  name: 'upload',
  plural: 'uploads',
  shownIn: 'videos',
  about:
    'A resumable upload. Its bytes are sent to /uploads/tus/ followed by its id; no other credential is needed to continue it. Lists show unfinished uploads.',
  access: {},
  // Anyone who knows the id may send bytes.
  roles: ['owner', 'editor'],
  namedKeys: 'write',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  history: {
    quiet: ['offset', 'progress', 'status', 'expires_at', 'video_id'],
    milestones: { finished: { about: 'All bytes of an upload have arrived.', when: 'finished_at set' } },
  },
  listOptions: {
    filters: map({ about: 'Filters in the form that older clients send, such as filters[status]=finished.' }),
  },
  fields: {
    file_name: text({
      about:
        'The name of the file on the machine it comes from. By default the title of its video, or Untitled.',
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
      about: 'The video that the file is for; null for a new video until it is created.',
      filter: ['is'],
    }),
    offset: integer({
      about: 'How many bytes have arrived; a few seconds behind while more arrive.',
      computed: true,
      always: true,
      max: Number.MAX_SAFE_INTEGER,
    }),
    progress: integer({ about: 'The same in per cent.', computed: true, always: true, max: 100 }),
    status: choice(['uploading', 'finished'], {
      about: 'Whether the whole file has arrived and belongs to its video.',
      computed: true,
      always: true,
      filter: ['is'],
    }),
    message: text({
      about:
        'A message from the sending program. It is the only field that an update changes: the progress is computed from the bytes that have arrived.',
      maxLength: 2000,
    }),
    expires_at: timestamp({
      about: 'When it is removed unless more bytes arrive; a finished upload is forgotten then.',
      computed: true,
      always: true,
    }),
  },
})
