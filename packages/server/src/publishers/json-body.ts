import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseJson } from '../api/json-text.js'
import { jsonMeter } from '../edge/body-meter.js'
import { takeBody, takeInTurn } from '../edge/take-body.js'
import { invalid } from '../errors.js'

/** Forms on other sites cannot send this content type. */
export function addJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const body = await takeInTurn(request, payload, jsonMeter(), (bytes) => {
      const text = bytes.toString()
      return text.trim() === '' ? {} : parseJson(text)
    })
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw invalid('The body must be a JSON object.')
    return body
  })
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await takeBody(request, payload)
    if (bytes.length === 0) return {}
    throw invalid('Send the body as JSON, with Content-Type: application/json.')
  })
}
