import { Pool, type PoolClient, type PoolConfig } from 'pg'

type ConnectCallback = Parameters<Pool['connect']>[0]

/**
 * A lost connection emits an error event that would end the process if unhandled. Its queries fail anyway.
 */
export function openPool(connectionString: string, options: PoolConfig): Pool {
  const pool = new ForgivingPool({ connectionString, ...options })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * The queue releases a connection twice if it is lost during the release, and cannot handle the exception.
 */
class ForgivingPool extends Pool {
  override connect(): Promise<PoolClient>
  override connect(received: ConnectCallback): void
  override connect(received?: ConnectCallback): Promise<PoolClient> | undefined {
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
