import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { TellAnswered } from './answered.js'
import { createTally } from './tally.js'

/** What is asked of the database only when someone looks. */
export interface Gauges {
  /** Connections to the database: open now, and at most. */
  connections(): Promise<{ open: number; most: number }>
  /** Jobs by state: waiting, running, failed. */
  jobs(): Promise<Readonly<Record<string, number>>>
}

/** Counts and times every request by route and status, and shows it all to Prometheus at /metrics. Returns what counts. */
export function addMetrics(app: FastifyInstance, gauges: Gauges): TellAnswered {
  const register = new Registry()
  collectDefaultMetrics({ register, prefix: 'zoetrope_' })
  renameSums(register)
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['state'], registers: [register] })
  const connections = gauge('zoetrope_database_connections', 'Connections to the database.')
  const jobs = gauge('zoetrope_jobs', 'Jobs in the queue, by state.')
  const tally = createTally()

  app.get('/metrics', async (_request, reply) => {
    // The database may be away; the rest is still worth showing.
    const [pool, queue] = await Promise.allSettled([gauges.connections(), gauges.jobs()])
    if (pool.status === 'fulfilled')
      for (const [state, count] of Object.entries(pool.value)) connections.set({ state }, count)
    if (queue.status === 'fulfilled')
      for (const [state, count] of Object.entries(queue.value)) jobs.set({ state }, count)
    return reply.type(register.contentType).send((await register.metrics()) + tally.text())
  })
  return ({ request, status, ms }) =>
    tally.add(request.method, request.routeOptions.url ?? 'unknown', status, ms / 1000)
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
