import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalog } from '@zoetrope/contract'
import { type Database, openDatabase } from '../packages/server/src/db/database.js'
import { update } from '../packages/server/src/resources/store.js'
import { cloneDatabase } from './support/database.js'

let database: Database
let drop: () => Promise<void>
before(async () => {
  const clone = await cloneDatabase()
  drop = clone.drop
  database = openDatabase({ connection: clone.connection, connections: 2 })
})
after(async () => {
  await database.close()
  await drop()
})

const site_id = '0'.repeat(24)

for (const [fields, name] of [
  [{ title: 'Another' }, 'an update of a video'],
  [{}, 'an update that sets no field'],
] as const)
  test(`${name} does not make rows wait that refer to the video, such as favourites`, async () => {
    const { db, transaction } = database
    const _id = name.length.toString().padStart(24, '0')
    await db`insert into channels (_id, title) values (${site_id}, 'One') on conflict do nothing`
    await db`insert into videos ${db({ _id, site_id, title: 'A film', friendly_title: _id } as never)}`
    await transaction(async (tx) => {
      const record = await update(tx, catalog.videos, { site_id }, _id, fields)
      assert.equal(JSON.parse(record ?? '{}')._id, _id)
      // The lock that the check of a foreign key takes. If it had to wait, this would fail at once.
      const rows = await db`select from videos where _id = ${_id} for key share nowait`
      assert.equal(rows.length, 1)
    })
  })
