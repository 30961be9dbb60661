import { type ErrorStatus, statuses } from '@zoetrope/contract'

/** The problems of each field, for people. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/** A failure the caller can act on. Any other exception is a bug or an outage and becomes a bare 500. */
export class ApiError extends Error {
  readonly status: ErrorStatus
  readonly fields: FieldErrors | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Stable, for programs. */
  readonly code: string
  /** What to do, where the message has to stay as it is. */
  readonly hint: string | undefined

  constructor(
    status: ErrorStatus,
    message: string,
    {
      fields,
      headers = {},
      code = statuses[status].code,
      hint,
      ...options
    }: {
      fields?: FieldErrors
      headers?: Record<string, string>
      code?: string
      hint?: string | undefined
    } & ErrorOptions = {},
  ) {
    super(message, options)
    this.status = status
    this.fields = fields
    this.headers = headers
    this.code = code
    this.hint = hint
  }
}

/** A missing or wrong credential; `error` is the code of RFC 6750 §3.1. */
export const unauthorized = (error?: 'invalid_token') =>
  new ApiError(401, 'Invalid or missing authentication.', {
    hint: whereKeysGo,
    ...(error ? { headers: { 'WWW-Authenticate': challenge(error) } } : {}),
  })

/** The same where no key is accepted. */
export const notSignedIn = () => new ApiError(401, 'Invalid or missing authentication.')

const whereKeysGo =
  'Send an API key as Authorization: Bearer, as X-Api-Key, as the user name of Basic, or as the parameter api_key; an app key as X-App-Key or app_key; an access token as Authorization: Bearer or access_token.'

/** The WWW-Authenticate header of a 401. With the Bearer scheme browsers show no password prompt. */
export const challenge = (error?: string) => `Bearer realm="zoetrope"${error ? `, error="${error}"` : ''}`

export const forbidden = (why: string, code?: string) => new ApiError(403, why, code ? { code } : {})
export const notFound = (name: string) => new ApiError(404, `${capitalised(name)} not found`)
export const invalid = (why: string, fields?: FieldErrors) => new ApiError(422, why, fields ? { fields } : {})

/** A parameter with a wrong value. `why` continues the sentence: "order must be asc or desc." */
export const invalidParameter = (name: string, why: string) => invalid(`${name} ${why}.`, { [name]: [why] })

export const unknownCursor = () =>
  invalid('cursor is not one that this list gave out.', { cursor: ['is not valid'] })

/** A write that is refused because of one field. `why` continues the sentence: "Could not save video: title is required." */
export const couldNotSave = (name: string, field: string, why: string) =>
  invalid(`Could not save ${name}: ${field} ${why}.`, { [field]: [why] })

/** A method that the path does not have. */
export const notPossible = (method: string, possible: string, allow = possible) =>
  new ApiError(405, `${method} is not possible here. Possible: ${possible}.`, { headers: { allow } })

export const unavailable = (cause: unknown) =>
  new ApiError(503, 'The database cannot be reached for the moment. Try again shortly.', {
    headers: { 'Retry-After': '1' },
    cause,
  })

/** The log has the reason, for the operator. */
export const storageAway = (cause: unknown) =>
  new ApiError(503, 'The media storage cannot be reached for the moment. Try again shortly.', {
    headers: { 'Retry-After': '5' },
    cause,
  })

/** `what` is the disk in words; `where` names its folder, and is told to publishers only. */
export const diskFull = (what: string, where?: string, cause?: unknown) =>
  new ApiError(507, `${what} is full. Free some space, or ask the operator to.`, { hint: where, cause })

export const crowded = (cause: unknown) =>
  new ApiError(503, 'Others were changing the same records at the same moment. Try again.', {
    headers: { 'Retry-After': '1' },
    cause,
  })

/** Too many large bodies at once. This is not our fault, and is not logged as one. */
export const overloaded = () =>
  new ApiError(503, 'Too many large requests arrived at once. Try again in a moment.', {
    code: 'overloaded',
    headers: { 'Retry-After': '2' },
  })

/** The client has disconnected, so nobody reads this. */
export const brokenOff = () => invalid('The body broke off.')

export const isOverload = (error: Error): boolean => error instanceof ApiError && error.code === 'overloaded'

export const busy = () =>
  new ApiError(503, 'Too many sign-ins are under way. Try again in a moment.', {
    headers: { 'Retry-After': '1' },
  })

export const tooMany = (seconds: number) =>
  new ApiError(429, `Too many attempts. Try again in ${spoken(seconds)}.`, {
    headers: { 'Retry-After': String(seconds) },
  })

function spoken(seconds: number): string {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}

export const tooSlow = (cause: unknown) =>
  new ApiError(
    503,
    'This took too long and was given up. Ask for less: more words, or a filter beside them.',
    { cause },
  )

/** Without Retry-After: a caller that blindly repeats a write might do it twice. */
export const interrupted = (cause: unknown) =>
  new ApiError(
    503,
    'The connection to the database was lost during this request. Check whether it was done before you repeat it.',
    {
      cause,
    },
  )

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ')
