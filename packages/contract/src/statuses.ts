/** Every status an error may have, its stable code and what it means. Read by the error handler and by the reference. */
export const statuses = {
  401: { code: 'unauthorized', about: 'No credential was given, or the one given is not valid.' },
  403: { code: 'forbidden', about: 'The credential is valid but may not do this.' },
  404: { code: 'not_found', about: 'There is no such record in this channel, or no such path.' },
  405: {
    code: 'method_not_allowed',
    about: 'The path exists but not for this verb; Allow lists those it has.',
  },
  408: { code: 'too_slow', about: 'The request arrived too slowly. It may be sent again.' },
  413: { code: 'too_large', about: 'The request is larger than the limit.' },
  422: {
    code: 'invalid',
    about: 'A rule was broken or the request could not be read; errors names the fields.',
  },
  429: { code: 'too_many_requests', about: 'Too many requests; Retry-After says when to come back.' },
  500: { code: 'server_error', about: 'A fault on our side; the log has it under the request id.' },
  501: { code: 'not_implemented', about: 'There is no answer in the format asked for.' },
  503: {
    code: 'unavailable',
    about: 'Not possible for the moment. With Retry-After nothing was done and it may simply be repeated.',
  },
} as const

export type ErrorStatus = keyof typeof statuses
