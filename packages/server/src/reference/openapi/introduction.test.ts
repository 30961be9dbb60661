import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerKinds, limits, statuses } from '@zoetrope/contract'
import { scopes } from '../../auth/scopes.js'
import { introduction } from './introduction.js'

test('the introduction prints every limit, every error, every credential and every scope', () => {
  const names = [...Object.keys(scopes), ...Object.keys(limits)]
  const codes = Object.values(statuses).map(({ code }) => code)
  const parameters = Object.values(callerKinds).map(({ parameter }) => parameter)
  for (const name of [...names, ...codes, ...parameters])
    assert.ok(introduction.includes(`| \`${name}\` |`), name)
})
