import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allCountries, findCountries } from './countries.js'

test('countries are found by name and by code, and the best match comes first', () => {
  for (const search of ['Germany', 'germ', 'DE', 'de']) assert.equal(findCountries(search)[0], 'DE', search)
  assert.equal(findCountries('Cote d')[0], 'CI')
  assert.deepEqual(findCountries('nowhere at all'), [])
})

test('only countries that exist now are listed', () => {
  const codes = allCountries().map(({ code }) => code)
  assert.ok(codes.length > 240 && codes.length < 255, String(codes.length))
  for (const code of ['DD', 'SU', 'EU', 'ZZ', 'UK']) assert.equal(codes.includes(code), false, code)
})
