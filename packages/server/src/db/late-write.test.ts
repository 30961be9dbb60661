import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cloneDatabase } from '../../../../test/support/database.js'
import { runSources } from '../../../../test/support/run-sources.js'
import { isLateWrite, isLostStatement } from './late-write.js'

test('a late write of the driver ends neither the process nor what comes after', async (context) => {
  const clone = await cloneDatabase()
  const script = fileURLToPath(new URL('../../../../test/support/late-write-process.ts', import.meta.url))
  const node = [...runSources, script, JSON.stringify(clone.connection)]
  const begun = performance.now()
  const { stdout } = await promisify(execFile)(process.execPath, node, { timeout: 60_000 })
  context.diagnostic(`${stdout.trim()} after ${Math.round(performance.now() - begun)} ms`)
  assert.match(stdout, /^survived 1 0\n$/)
  await clone.drop()
})

test('other faults are not taken for late writes', () => {
  assert.equal(isLateWrite(new TypeError("Cannot read properties of null (reading 'write')")), false)
  assert.equal(
    isLateWrite(new Error('at Immediate.nextWrite (node_modules/postgres/src/connection.js')),
    false,
  )
})

test('a lost statement is known by its code, and by who tells of it', () => {
  const lost = (stack: string) => Object.assign(new Error('write'), { code: 'CONNECTION_CLOSED', stack })
  assert.equal(isLostStatement(lost('at Socket.closed (node_modules/postgres/src/connection.js:1:1)')), true)
  assert.equal(isLostStatement(lost('at WriteStream (node:tty)')), false)
  assert.equal(isLostStatement(new Error('postgres/src/')), false)
  const refused = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED', stack: 'at node:net' })
  const asking = { query: { value: 'select b.oid, b.typarray' }, parameters: { value: [] } }
  assert.equal(isLostStatement(Object.defineProperties(refused(), asking)), true)
  assert.equal(isLostStatement(refused()), false)
})
