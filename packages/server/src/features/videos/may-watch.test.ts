import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Entitlements, isForEverybody, refusalOf } from './may-watch.js'

const signedIn: Entitlements = {
  super_watcher: false,
  subscribes: false,
  has_pass: false,
  is_entitled: false,
}

test('what asks nothing is for everybody', () => {
  assert.equal(isForEverybody({}), true)
  assert.equal(isForEverybody({ rental_required: false, registration_required: null }), true)
  assert.equal(refusalOf({}, undefined), undefined)
})

test('registration asks for a viewer who has signed in, and no more', () => {
  const terms = { registration_required: true }
  assert.deepEqual(refusalOf(terms, undefined), {
    code: 'registration_required',
    message: 'Sign in to watch this video.',
  })
  assert.equal(refusalOf(terms, signedIn), undefined)
})

test('what is paid for is refused with the ways to it', () => {
  assert.deepEqual(refusalOf({ subscription_required: true }, signedIn), {
    code: 'subscription_required',
    message: 'To watch this video, subscribe.',
  })
  assert.deepEqual(
    refusalOf({ rental_required: true, purchase_required: true, pass_required: true }, undefined),
    {
      code: 'pass_required',
      message: 'To watch this video, get a pass, buy it or rent it. If you have, sign in.',
    },
  )
})

test('an entitlement opens whatever is paid for, a subscription what is for subscribers', () => {
  const flags = ['subscription', 'pass', 'purchase', 'rental', 'redemption_code'].map(
    (way) => `${way}_required`,
  )
  for (const flag of flags) {
    const terms = { [flag]: true, registration_required: true }
    assert.ok(refusalOf(terms, signedIn), flag)
    assert.equal(refusalOf(terms, { ...signedIn, is_entitled: true }), undefined, flag)
    assert.equal(refusalOf(terms, { ...signedIn, super_watcher: true }), undefined, flag)
    const holder = refusalOf(terms, { ...signedIn, has_pass: true })
    assert.equal(holder === undefined, flag === 'pass_required', flag)
    const subscriber = refusalOf(terms, { ...signedIn, subscribes: true })
    assert.equal(subscriber === undefined, flag === 'subscription_required', flag)
  }
})
