import { type PlacedOperation, placed } from './operations.js'
import { errorsOf } from './responses.js'

export const platformTag = {
  name: 'Platform',
  description: 'For those who run the installation and for their tools. No credential is needed.',
}

const statusOf = (status: string, others: object = {}) => ({
  'application/json': {
    schema: { type: 'object', required: ['status'], properties: { status: { const: status }, ...others } },
  },
})

const read = (
  path: string,
  named: Parameters<typeof placed>[3],
  answer: string,
  content: object,
  error: 500 | 503,
): PlacedOperation =>
  placed('get', path, platformTag.name, named, {
    responses: { 200: { description: answer, content }, ...errorsOf(405, error) },
  })

const health = 'Answers as long as the process can answer at all; looks at nothing else.'
const ready =
  'Looks whether the database answers. A load balancer should ask this one. `warnings` says what the operator should look after, in sentences; it is there only if there is something.'
const metrics = 'Counters and histograms of this process in the text format of Prometheus.'
const document = 'The OpenAPI 3.1 description of this installation, for tools and code generators.'
const warnings = { type: 'array', items: { type: 'string' } }
const text = { 'text/plain': { schema: { type: 'string' } } }
const json = { 'application/json': { schema: { type: 'object' } } }

export const platformOperations = (): PlacedOperation[] => [
  read('/healthz', ['getHealth', 'Is the process alive?', health], 'It is.', statusOf('ok'), 500),
  read(
    '/readyz',
    ['getReadiness', 'Can it serve requests?', ready],
    'It can.',
    statusOf('ready', { warnings }),
    503,
  ),
  read('/metrics', ['getMetrics', 'Metrics for Prometheus', metrics], 'The metrics.', text, 500),
  read('/openapi.json', ['getOpenApi', 'This document', document], 'The document.', json, 500),
]
