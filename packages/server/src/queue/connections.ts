import { Pool, type PoolClient, type PoolConfig } from 'pg'

type Received = Parameters<Pool['connect']>[0]

/** A connection that is lost raises an error nobody waits for; unheard, it would end the process. Queries fail by themselves. */
export function openPool(connectionString: string, options: PoolConfig): Pool {
  const pool = new ForgivingPool({ connectionString, ...options })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** The queue gives a connection back twice that is lost while it is being given back, and hears nobody's complaint. */
class ForgivingPool extends Pool {
  override connect(): Promise<PoolClient>
  override connect(received: Received): void
  override connect(received?: Received): Promise<PoolClient> | undefined {
    if (!received) return super.connect()
    super.connect((error, client, release) => {
      let isHeld = true
      received(error, client, (destroy) => {
        if (isHeld) release(destroy)
        isHeld = false
      })
    })
    return undefined
  }
}
