import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { openDatabase } from '../packages/server/src/db/database.js'
import { migrate } from '../packages/server/src/db/migrate.js'
import { generatedFiles, generatedFolder } from '../scripts/sql/files.js'
import { cloneDatabase } from './support/database.js'

const mend = 'Run `npm run generate -- sql` and commit what it writes.'

test('db/generated has what the contract says; `npm run generate -- sql` writes it', async () => {
  const files = generatedFiles()
  assert.deepEqual((await readdir(generatedFolder)).sort(), Object.keys(files).sort(), mend)
  for (const [name, text] of Object.entries(files))
    assert.equal(await readFile(new URL(name, generatedFolder), 'utf8'), text, `${name} differs. ${mend}`)
})

test('records in rows are written again when their functions have changed, and only those that differ', async () => {
  const { connection, drop } = await cloneDatabase()
  const database = openDatabase({ connection, connections: 1 })
  const { db } = database
  const site_id = '0'.repeat(24)
  await db`insert into channels (_id, title) values (${site_id}, 'One')`
  for (const _id of ['1'.repeat(24), '2'.repeat(24)])
    await db`insert into videos (_id, site_id, title, friendly_title) values (${_id}, ${site_id}, 'A film', ${_id})`
  const rows = () => db`select _id, record, updated_at, xmin::text as written_by from videos order by _id`
  const before = await rows()
  await db`alter table videos disable trigger videos_written`
  await db`update videos set record = '{}' where _id like '1%'`
  await db`alter table videos enable trigger videos_written`

  await migrate(database, '9999.0.0')
  assert.equal((await rows())[0]?.record, '{}', 'the functions are the same')
  await db`update applied_files set sha256 = 'another' where name = 'generated/records.sql'`
  await migrate(database, '9999.0.0')

  const after = await rows()
  assert.equal(after[0]?.record, before[0]?.record)
  assert.deepEqual(after[0]?.updated_at, before[0]?.updated_at)
  assert.deepEqual(after[1], before[1], 'this row was not written')
  await database.close()
  await drop()
})
