import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { type MetricReading, writeReadings } from '../lib/readings.js'
import type { TellAnswered } from './answered.js'
import { createTally } from './tally.js'

/** Counts and times every request by route and status, and shows it all to Prometheus at /metrics. Returns what counts. */
export function addMetrics(
  app: FastifyInstance,
  figures: () => Promise<readonly MetricReading[]>,
): TellAnswered {
  const register = new Registry()
  collectDefaultMetrics({ register, prefix: 'zoetrope_' })
  renameSums(register)
  const tally = createTally()
  const bytes = new Map<string, number>()
  /** How many bytes a connection had sent after its last answer. */
  const sent = new WeakMap<Socket, number>()

  app.get('/metrics', async (_request, reply) => {
    const delivered: MetricReading = {
      name: 'zoetrope_http_response_bytes_total',
      help: 'Bytes sent to clients, by route.',
      type: 'counter',
      values: [...bytes].map(([route, value]) => [{ route }, value] as const),
    }
    const readings = writeReadings([delivered, ...(await figures())])
    return reply.type(register.contentType).send((await register.metrics()) + tally.text() + readings)
  })
  return ({ request, status, ms }) => {
    const route = request.routeOptions.url ?? 'unknown'
    tally.add(request.method, route, status, ms / 1000)
    const { socket } = request.raw
    const written = socket.bytesWritten
    bytes.set(route, (bytes.get(route) ?? 0) + written - (sent.get(socket) ?? 0))
    sent.set(socket, written)
  }
}

/** In Prometheus `_total` is for counters only. The library has three gauges of that name: `nodejs_active_handles_total` becomes `nodejs_handles`. */
function renameSums(register: Registry): void {
  for (const { name } of register.getMetricsAsArray()) {
    const metric = register.getSingleMetric(name)
    const shorter = name.replace(/_active_(\w+)_total$/, '_$1')
    if (!metric || shorter === name) continue
    register.removeSingleMetric(name)
    register.registerMetric(Object.assign(metric, { name: shorter }))
  }
}
