import type { ErrorStatus } from '@zoetrope/contract'
import { type PlacedOperation, placed } from './operations.js'
import { idParameter } from './parameters.js'
import { errorsOf } from './responses.js'
import { schemaRef } from './schemas.js'
import { securityOf } from './security.js'

interface UploadOperation {
  readonly description: string
  readonly requestBody: { readonly content: object }
  readonly responses: object
}

const file = { type: 'string', format: 'binary', description: 'The file of the film.' }
const formOf = (properties: object, required: readonly string[]) => ({
  schema: { type: 'object', required, properties },
  encoding: { video: { style: 'deepObject', explode: true } },
})

/** The operation with a form that may have a file in it. */
const withForm = ({ requestBody, ...operation }: UploadOperation, form: object) => ({
  ...operation,
  requestBody: { ...requestBody, content: { ...requestBody.content, 'multipart/form-data': form } },
})

const uploaders = securityOf(['admin', 'upload'], 'public')

const additions: Readonly<Record<string, (operation: UploadOperation) => object>> = {
  'post /videos': (operation) => ({
    ...withForm(operation, formOf({ source: file, video: schemaRef('VideoInput') }, [])),
    description: `As multipart/form-data it may bring the file of its film, in a part named \`source\`; then the credential stands in the address, in a header, or in a field before the file, and may be an upload token. ${operation.description}`,
  }),
  'put /videos/{id}/poster': (operation) => {
    const image = { ...file, description: 'A JPEG, PNG, WebP or GIF.' }
    const time = { type: 'string', description: 'The moment of the frame, where there is no image.' }
    return withForm(operation, formOf({ image, time }, []))
  },
  'post /videos/{video_id}/audio_tracks': (operation) => {
    const properties = {
      file: { ...file, description: 'The audio file.' },
      audio_track: schemaRef('AudioTrackUpdate'),
    }
    const form = {
      schema: { type: 'object', required: ['file'], properties },
      encoding: { audio_track: { style: 'deepObject', explode: true } },
    }
    return {
      ...withForm(operation, form),
      description: `As multipart/form-data it brings the file in a part named \`file\`, which may be as large as a film; the credential stands in the address, in a header, or in a field before the file. ${operation.description}`,
    }
  },
  'post /uploads': (operation) => {
    const video_id = { type: 'string', description: 'The video that the film is for; a new one if absent.' }
    const either = { anyOf: [schemaRef('VideoResponse'), schemaRef('UploadResponse')] }
    return {
      ...withForm(operation, formOf({ source: file, video_id, video: schemaRef('VideoUpdate') }, ['source'])),
      summary: 'Upload a film, or begin a resumable upload',
      description:
        'As multipart/form-data: makes a video of the file, or adds the file to a video that exists. Returns the video. The credential is in the address, in a header, or in a field before the file. With any other body: begins a resumable upload, whose bytes go to `/uploads/tus/{id}`, and returns the upload.\n\n**Who may call it:** admin key, named key (with the scope `uploads:write`); with a file also an upload token.',
      security: uploaders,
      responses: {
        ...operation.responses,
        201: {
          description: 'The video, being prepared; or the upload that was begun.',
          content: { 'application/json': { schema: either } },
        },
        ...errorsOf(404),
      },
    }
  },
}

/** Where fields are taken, a file may come beside them. */
export const withFiles = (operations: readonly PlacedOperation[]): PlacedOperation[] =>
  operations.map((placed) => {
    const add = additions[`${placed.method} ${placed.path}`]
    return add ? { ...placed, operation: add(placed.operation as UploadOperation) } : placed
  })

const header = (name: string, description: string, required = true, type = 'string') => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type },
})
const version = header('Tus-Resumable', 'Always 1.0.0.')
const offsetHeader = { 'Upload-Offset': { description: 'How much is there.', schema: { type: 'integer' } } }
const bytes = {
  content: { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } },
}
const refusal = (description: string) => ({
  description,
  content: { 'application/json': { schema: schemaRef('Error') } },
})
const wrongBytes = { 460: refusal('The bytes have another checksum, and do not count.') }
const refusals = { 412: refusal('Not tus 1.0.0.') }
const missing = { ...refusals, 410: refusal('It was given up: nothing came for 24 hours.') }

const tus = (
  method: string,
  path: string,
  named: Parameters<typeof placed>[3],
  parameters: readonly object[],
  responses: object,
  errors: readonly ErrorStatus[],
  more: object = {},
): PlacedOperation =>
  placed(method, path, 'Uploads', named, {
    ...more,
    parameters,
    responses: { ...responses, ...errorsOf(...errors, 500, 503) },
  })

const [uploads, upload] = ['/uploads/tus', '/uploads/tus/{id}']
const about = {
  describe: 'The version, the extensions and the largest file, in headers. No credential is needed.',
  start:
    'Returns its address, which is all that is needed to continue it. A first piece of the file may come with it.\n\n**Who may call it:** admin key, named key (with the scope `uploads:write`), upload token.',
  ask: 'Its address is the credential.',
  proceed: 'Its address is the credential. The answer to the last piece names the video in `X-Video-Id`.',
  end: 'Its address is the credential. What came of it is gone.',
}
const place = { Location: { description: 'Its address.', schema: { type: 'string' } } }
const metadata = 'Names with values in Base64: filename, title, video_id, video[description]…'

/** tus 1.0.0, as far as a reader needs it; the protocol itself is at tus.io. */
export const tusOperations = (): PlacedOperation[] => [
  tus(
    'options',
    uploads,
    ['describeTus', 'What resumable uploads can do', about.describe],
    [],
    { 204: { description: 'The headers say it.' } },
    [405],
  ),
  tus(
    'post',
    uploads,
    ['startTusUpload', 'Begin a resumable upload', about.start],
    [
      version,
      header('Upload-Length', 'The size of the whole file.', true, 'integer'),
      header('Upload-Metadata', metadata, false),
    ],
    { 201: { description: 'It is begun.', headers: place }, ...refusals, ...wrongBytes },
    [401, 403, 404, 413, 422, 507],
    { security: uploaders, requestBody: bytes },
  ),
  tus(
    'head',
    upload,
    ['askTusUpload', 'How far an upload is', about.ask],
    [idParameter, version],
    { 200: { description: 'The headers say it.', headers: offsetHeader }, ...missing },
    [404],
  ),
  tus(
    'patch',
    upload,
    ['continueTusUpload', 'Send a piece of an upload', about.proceed],
    [
      idParameter,
      version,
      header('Upload-Offset', 'Where the piece begins.', true, 'integer'),
      header('Upload-Checksum', 'sha1, md5 or sha256, a space, and the digest in Base64.', false),
    ],
    {
      204: { description: 'It is safe.', headers: offsetHeader },
      ...missing,
      ...wrongBytes,
      400: refusal('The checksum cannot be read, or is of an unknown kind.'),
      409: refusal('The upload continues elsewhere.'),
      415: refusal('The piece is not sent as application/offset+octet-stream.'),
    },
    [404, 413, 422, 507],
    { requestBody: { required: true, ...bytes } },
  ),
  tus(
    'delete',
    upload,
    ['endTusUpload', 'End an upload', about.end],
    [idParameter, version],
    { 204: { description: 'It is gone.' }, ...missing },
    [403, 404],
  ),
]
