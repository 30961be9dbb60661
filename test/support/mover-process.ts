/**
 * Moves films from one storage to another, as `zoetrope storage move` does, in its own process that a test can kill.
 * Starts when the parent sends a line, so that the time to load is over by then.
 */
import { once } from 'node:events'
import { openDatabase } from '../../packages/server/src/db/database.js'
import { createKeyLocks } from '../../packages/server/src/library/key-locks.js'
import { moveLibrary } from '../../packages/server/src/library/move-library.js'
import { type MoverOrder, openPlace } from './move-places.js'

const order = JSON.parse(process.argv[2] ?? '') as MoverOrder
const database = openDatabase({ connection: order.connection, connections: 12 })
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const places = {
  from: await openPlace(order.from),
  to: await openPlace(order.to),
  lock: createKeyLocks(database),
}
const names = { from: order.from.kind, to: order.to.kind }
process.stdout.write('begun\n')
const { rate } = order
const result = await moveLibrary(database.db, { places, names, ...(rate && { rate }) })
process.stdout.write(`${JSON.stringify(result)}\n`)
process.exit(0)
