import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseInTurns, type Health, type Place, room } from './room.js'

const place = (webhook_id: string, fields: Partial<Place> = {}): Place => ({
  webhook_id,
  site_id: 'site',
  host: `${webhook_id}.example.com`,
  health: 'answering',
  ...fields,
})
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const choose = (due: readonly Place[], sending: readonly Place[] = []) =>
  chooseInTurns(due, sending).map(({ webhook_id }) => webhook_id)

test('the first delivery of every webhook goes before the second of any', () => {
  assert.deepEqual(choose([place('a'), place('a'), place('b'), place('c')]), ['a', 'b', 'c', 'a'])
  assert.deepEqual(choose([place('a'), place('b'), place('b')], [place('a')]), ['b', 'a', 'b'])
})

test('a webhook has so many at once, and a failing one only one', () => {
  const each = (health: Health) => choose(many(99, () => place('a', { health }))).length
  assert.deepEqual([each('answering'), each('new'), each('slow'), each('failing')], [32, 2, 2, 1])
})

test('receivers that fail or are slow leave those that answer at the same host their room', () => {
  const host = 'hooks.example.com'
  const dead = (health: Health) => many(50, (index) => place(`${health} ${index}`, { health, host }))
  const sending = [...dead('failing'), ...dead('slow'), ...dead('new')]
  assert.deepEqual(choose([place('live', { host })], sending), ['live'])
  const ofHost = choose(many(99, (index) => place(`webhook ${index}`, { host })))
  assert.equal(ofHost.length, room.answering.host)
})

test('a webhook that is sent nothing does not wait for the others', () => {
  const others = many(9, (index) => many(32, () => place(`dead ${index}`))).flat()
  const chosen = chooseInTurns(others, [])
  assert.equal(chosen.length, room.answering.all)
  assert.deepEqual(choose([place('live'), place('live')], chosen), ['live'])
})

test('channels that are being sent the least go first', () => {
  const sending = many(3, () => place('a', { site_id: 'busy' }))
  const due = [
    ...many(9, (index) => place(`b ${index}`, { site_id: 'busy' })),
    ...many(5, () => place('c', { site_id: 'other' })),
  ]
  assert.deepEqual(choose(due, sending).slice(0, 6), ['c', 'c', 'c', 'b 0', 'c', 'b 1'])
})
