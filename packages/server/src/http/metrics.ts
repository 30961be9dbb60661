import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What is asked of the database only when someone looks. */
export interface Gauges {
  /** Connections to the database: open now, and at most. */
  connections(): Promise<{ open: number; most: number }>
  /** Jobs by state: waiting, running, failed. */
  jobs(): Promise<Readonly<Record<string, number>>>
}

/** Counts and times every request by route and status, and shows it all to Prometheus at /metrics. */
export function addMetrics(app: FastifyInstance, gauges: Gauges): void {
  const register = new Registry()
  collectDefaultMetrics({ register, prefix: 'zoetrope_' })
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'zoetrope_http_requests_total',
    help: 'Requests answered.',
    labelNames,
    registers: [register],
  })
  const durations = new Histogram({
    name: 'zoetrope_http_request_duration_seconds',
    help: 'Time to answer a request.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [register],
  })
  const connections = new Gauge({
    name: 'zoetrope_database_connections',
    help: 'Connections to the database.',
    labelNames: ['state'],
    registers: [register],
  })
  const jobs = new Gauge({
    name: 'zoetrope_jobs',
    help: 'Jobs in the queue, by state.',
    labelNames: ['state'],
    registers: [register],
  })

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    requests.inc({ method: request.method, route, status: reply.statusCode })
    durations.observe({ method: request.method, route }, reply.elapsedTime / 1000)
  })

  app.get('/metrics', async (_request, reply) => {
    // The database may be away; the rest is still worth showing.
    const [pool, queue] = await Promise.allSettled([gauges.connections(), gauges.jobs()])
    if (pool.status === 'fulfilled') {
      connections.set({ state: 'open' }, pool.value.open)
      connections.set({ state: 'most' }, pool.value.most)
    }
    if (queue.status === 'fulfilled')
      for (const [state, count] of Object.entries(queue.value)) jobs.set({ state }, count)
    return reply.type(register.contentType).send(await register.metrics())
  })
}
