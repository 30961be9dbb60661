import type { PlacedOperation } from './operations.js'
import { errorsOf } from './responses.js'

export const platformTag = {
  name: 'Platform',
  description: 'For those who run the installation and for their tools. No credential is needed.',
}

interface PlatformEndpoint {
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly answer: string
  readonly content: object
  readonly error: 500 | 503
}

const statusOf = (status: string, others: object = {}) => ({
  'application/json': {
    schema: { type: 'object', required: ['status'], properties: { status: { const: status }, ...others } },
  },
})

const endpoints: readonly PlatformEndpoint[] = [
  {
    path: '/healthz',
    id: 'getHealth',
    summary: 'Is the process alive?',
    description: 'Answers as long as the process can answer at all; looks at nothing else.',
    answer: 'It is.',
    content: statusOf('ok'),
    error: 500,
  },
  {
    path: '/readyz',
    id: 'getReadiness',
    summary: 'Can it serve requests?',
    description:
      'Looks whether the database answers. A load balancer should ask this one. `warnings` says what the operator should look after, in sentences; it is there only if there is something.',
    answer: 'It can.',
    content: statusOf('ready', { warnings: { type: 'array', items: { type: 'string' } } }),
    error: 503,
  },
  {
    path: '/metrics',
    id: 'getMetrics',
    summary: 'Metrics for Prometheus',
    description: 'Counters and histograms of this process in the text format of Prometheus.',
    answer: 'The metrics.',
    content: { 'text/plain': { schema: { type: 'string' } } },
    error: 500,
  },
  {
    path: '/openapi.json',
    id: 'getOpenApi',
    summary: 'This document',
    description: 'The OpenAPI 3.1 description of this installation, for tools and code generators.',
    answer: 'The document.',
    content: { 'application/json': { schema: { type: 'object' } } },
    error: 500,
  },
]

export function platformOperations(): PlacedOperation[] {
  return endpoints.map(({ path, id, summary, description, answer, content, error }) => ({
    path,
    method: 'get',
    operation: {
      operationId: id,
      summary,
      tags: [platformTag.name],
      description,
      security: [],
      responses: { 200: { description: answer, content }, ...errorsOf(error) },
    },
  }))
}
