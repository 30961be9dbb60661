/** Every status an error may have, its stable code and what it means. Read by the error handler and by the reference. */
export const statuses = {
  401: { code: 'unauthorized', about: 'No credential was given, or the one given is not valid.' },
  403: { code: 'forbidden', about: 'The credential is valid but may not do this.' },
  404: { code: 'not_found', about: 'There is no such record in this channel, or no such path.' },
  405: {
    code: 'method_not_allowed',
    about: 'The path does not support this method; Allow lists those it supports.',
  },
  408: { code: 'too_slow', about: 'The request arrived too slowly. It can be sent again.' },
  409: {
    code: 'conflict',
    about: 'Another request has come first: it is still running, or has changed the same fields.',
  },
  412: {
    code: 'precondition_failed',
    about: 'The record has changed since the version that If-Match names. Nothing was done.',
  },
  413: { code: 'too_large', about: 'The request is larger than the limit.' },
  422: {
    code: 'invalid',
    about: 'The request could not be read, or its fields are invalid; errors names them.',
  },
  429: { code: 'too_many_requests', about: 'Too many requests; Retry-After has the seconds to wait.' },
  500: { code: 'server_error', about: 'An internal error; the log has it under the request id.' },
  503: {
    code: 'unavailable',
    about:
      'Temporarily not possible. With Retry-After nothing was done, and the request can safely be repeated.',
  },
  507: {
    code: 'insufficient_storage',
    about: 'A disk of the server is full. Its operator has to free some space; admin keys are told where.',
  },
} as const

export type ErrorStatus = keyof typeof statuses
