import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { createEncoderTurns, createSharedRequest, type Need } from './encoder-turns.js'

/** Encoder slots whose holders finish on command, and a list of who has started. */
function stage(places: number) {
  const turns = createEncoderTurns(places)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    ask(name: string, need: Need) {
      const leaving = new AbortController()
      const request = { need, left: leaving.signal }
      const entered = turns(request).then((end) => {
        begun.push(name)
        ends.set(name, end)
      })
      entered.catch(() => {})
      return { entered, request, leave: () => leaving.abort(new Error('left')) }
    },
    async end(name: string) {
      ends.get(name)?.()
      await settled()
    },
  }
}

test('viewers go before uploads, uploads before the rest, each in order of arrival', async () => {
  const { ask, end, begun } = stage(1)
  ask('first', 'background')
  await settled()
  ask('b1', 'background')
  ask('p1', 'preparing')
  ask('v1', 'viewer')
  ask('p2', 'preparing')
  ask('v2', 'viewer')
  for (const name of ['first', 'v1', 'v2', 'p1', 'p2', 'b1']) await end(name)
  assert.deepEqual(begun, ['first', 'v1', 'v2', 'p1', 'p2', 'b1'])
})

test('background work leaves a slot free', async () => {
  const { ask, end, begun } = stage(2)
  ask('b1', 'background')
  ask('b2', 'background')
  await settled()
  assert.deepEqual(begun, ['b1'])
  ask('v1', 'viewer')
  await settled()
  assert.deepEqual(begun, ['b1', 'v1'])
  await end('b1')
  assert.deepEqual(begun, ['b1', 'v1', 'b2'])
})

test('a request that is cancelled before its turn is skipped', async () => {
  const { ask, end, begun } = stage(1)
  ask('v1', 'viewer')
  const gone = ask('v2', 'viewer')
  ask('v3', 'viewer')
  await settled()
  gone.leave()
  await assert.rejects(gone.entered, /left/)
  await end('v1')
  assert.deepEqual(begun, ['v1', 'v3'])
})

test('a request that becomes more urgent moves to its new class', async () => {
  const turns = createEncoderTurns(1)
  const end = await turns({ need: 'viewer', left: new AbortController().signal })
  const begun: string[] = []
  const ask = (name: string, request: { need: Need }) =>
    turns(Object.assign(request, { left: new AbortController().signal })).then((ending) => {
      begun.push(name)
      ending()
    })
  const early = { need: 'background' as Need }
  const asked = [ask('b', early), ask('p', { need: 'preparing' })]
  early.need = 'viewer'
  end()
  await Promise.all(asked)
  assert.deepEqual(begun, ['b', 'p'])
})

test('background work starts at once in the free slot when a viewer requests it', async () => {
  const turns = createEncoderTurns(2)
  await turns({ need: 'background', left: new AbortController().signal })
  const request = createSharedRequest()
  let hasBegun = false
  const entered = turns(request).then(() => {
    hasBegun = true
  })
  await settled()
  assert.equal(hasBegun, false)
  request.join('viewer', undefined)
  await entered
})
