import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failedConnect, lossIn } from './connection-error.js'
import { statementNames } from './statement-names.js'
import { isDatabaseAway, violation } from './violation.js'

const network = ['EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'ETIMEDOUT']

for (const code of network)
  test(`a connection that fails with ${code} means that the database is away`, () => {
    const error = Object.assign(new Error(code), { code, syscall: 'connect' })
    assert.equal(violation(failedConnect(error)), 'unavailable')
    assert.equal(isDatabaseAway(failedConnect(error)), true)
    assert.equal(violation(lossIn(Object.assign(error, { syscall: 'read' }))), 'interrupted')
  })

test('the same code of another program does not', () => {
  assert.equal(isDatabaseAway(Object.assign(new Error('x'), { code: 'ENOTFOUND' })), false)
})

test('only the first thousand texts are prepared, and keep their names', () => {
  const names = statementNames()
  const first = names.nameOf('select 0')
  for (let number = 1; number < 1000; number += 1) assert.ok(names.nameOf(`select ${number}`))
  assert.equal(names.nameOf('one more'), undefined)
  assert.equal(names.nameOf('select 0'), first)
})
