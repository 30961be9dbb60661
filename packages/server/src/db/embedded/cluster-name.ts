import { createHash } from 'node:crypto'

/** Tells the processes and the socket of one cluster from those of others; PostgreSQL's titles show it. */
export function clusterName(folder: string): string {
  return `zoetrope-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
}
