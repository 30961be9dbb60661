import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sending } from './in-flight.js'
import { type Due, type Health, mostOfChannel, room } from './room.js'
import { chooseInTurns, fillsRoom } from './turns.js'

let number = 0
const due = (webhook_id: string, fields: Partial<Due> = {}): Due => {
  number += 1
  const host = `${webhook_id}.example.com`
  return {
    ctid: '(0,1)',
    event_id: '1',
    _id: String(number),
    webhook_id,
    site_id: 'site',
    host,
    health: 'answering',
    ...fields,
  }
}
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const begun = (items: readonly Due[], isLate = false): Sending[] => items.map((item) => ({ ...item, isLate }))
const choose = (items: readonly Due[], sending: readonly Sending[] = [], begunAt: [string, number][] = []) =>
  chooseInTurns(items, { sending, begunAt: new Map(begunAt) }).map(({ webhook_id }) => webhook_id)
const countOf = (chosen: readonly string[], webhook_id: string) =>
  chosen.filter((one) => one === webhook_id).length

test('webhooks take turns, the one that was sent something least recently first', () => {
  const items = [due('a'), due('a'), due('b'), due('c')]
  assert.deepEqual(
    choose(
      items,
      [],
      [
        ['b', 2],
        ['c', 1],
        ['a', 3],
      ],
    ),
    ['c', 'b', 'a', 'a'],
  )
})

test('a webhook has so many at once, and a failing one only one', () => {
  const each = (health: Health) => choose(many(99, () => due('a', { health }))).length
  assert.deepEqual([each('answering'), each('unknown'), each('slow'), each('failing')], [32, 2, 2, 1])
})

test('receivers that fail or are slow leave those that answer at the same host their room', () => {
  const host = 'hooks.example.com'
  const dead = (health: Health) => begun(many(50, (index) => due(`${health} ${index}`, { health, host })))
  const chosen = choose([due('live', { host })], [...dead('failing'), ...dead('slow'), ...dead('unknown')])
  assert.deepEqual(chosen, ['live'])
  assert.equal(choose(many(99, (index) => due(`webhook ${index}`, { host }))).length, room.answering.ofHost)
})

test('a webhook that is sent nothing never waits for the others of its channel', () => {
  const others = many(8, (index) => many(32, () => due(`dead ${index}`))).flat()
  const chosen = choose(others)
  assert.equal(chosen.length, mostOfChannel('answering'))
  const sending = begun(others.slice(0, mostOfChannel('answering')))
  assert.deepEqual(choose([due('live'), due('live')], sending), ['live'])
})

test('attempts that take long leave the room of those that answer', () => {
  const late = begun(many(4, (index) => many(32, () => due(`dead ${index}`))).flat(), true)
  assert.equal(
    choose(
      many(10, () => due('live')),
      late,
    ).length,
    10,
  )
  assert.equal(fillsRoom(begun([due('live')])), false)
  assert.equal(fillsRoom(begun(many(32, () => due('live')))), true)
})

test('channels for which the least is being sent go first', () => {
  const sending = begun(
    many(4, (index) => many(64, () => due(`a ${index}`, { site_id: `site ${index}` }))).flat(),
  )
  const items = [
    ...many(9, (index) => due(`b ${index}`, { site_id: 'site 0' })),
    due('c', { site_id: 'other' }),
  ]
  assert.equal(choose(items, sending)[0], 'c')
  assert.equal(countOf(choose(items, sending), 'c'), 1)
})
