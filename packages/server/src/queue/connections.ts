import { Pool, type PoolConfig } from 'pg'

/** A connection that is lost raises an error nobody waits for; unheard, it would end the process. Queries fail by themselves. */
export function openPool(connectionString: string, options: PoolConfig): Pool {
  const pool = new Pool({ connectionString, ...options })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
