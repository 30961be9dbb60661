import type { FastifyInstance } from 'fastify'
import { invalid } from '../errors.js'

/** Of any type but this one, another site's form could send it. */
export function addJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: object, text: string) => {
      const body = text.trim() === '' ? {} : parsed(text)
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw invalid('The body must be a JSON object.')
      return body
    },
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: object, text: string) => {
    if (text === '') return {}
    throw invalid('Send the body as JSON, with Content-Type: application/json.')
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('The JSON cannot be read.')
  }
}
