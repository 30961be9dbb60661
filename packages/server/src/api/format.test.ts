import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { assertLinear } from '../../../../test/support/work.js'
import { formatOf, plainPath } from './format.js'

const request = (headers: Record<string, string>, originalUrl = '/videos') =>
  ({ headers, originalUrl, url: plain(originalUrl) }) as unknown as FastifyRequest
const plain = (url: string) => plainPath(url, (path) => path === '/openapi.json')

test('trailing slashes and suffixes are taken off the path, the query stays', () => {
  const cases = {
    '/videos': '/videos',
    '/videos/': '/videos',
    '/videos///?a=b/': '/videos?a=b/',
    '/videos.json': '/videos',
    '/videos.xml/?q=.xml': '/videos?q=.xml',
    '/videos/1.json': '/videos/1',
    '/videos.json.xml': '/videos.json',
    '/videos.jsonx': '/videos.jsonx',
    '/openapi.json': '/openapi.json',
    '/': '/',
    '//': '/',
    '': '',
  }
  for (const [url, expected] of Object.entries(cases)) assert.equal(plain(url), expected, url)
})

test('a path that cannot be decoded is taken literally', () => {
  assert.equal(plain('/videos/%zz?a=%zz'), '/videos/%25zz?a=%zz')
  assert.equal(plain('/videos/%C3%A9'), '/videos/%C3%A9')
})

test('a path of slashes takes no time', () => {
  assertLinear((count) => plain(`${'/'.repeat(count)}.x`), 16_000)
})

test('the suffix decides the format, then the content type, then what is accepted', () => {
  assert.equal(formatOf(request({ 'content-type': 'text/xml' }, '/videos.json')), 'json')
  assert.equal(formatOf(request({}, '/videos.xml//?a=.json')), 'xml')
  assert.equal(formatOf(request({ accept: 'text/xml' }, '/openapi.json')), 'xml')
  assert.equal(
    formatOf(request({ 'content-type': 'application/xml; charset=utf-8', accept: 'application/json' })),
    'xml',
  )
  assert.equal(formatOf(request({ 'content-type': 'application/json', accept: 'text/xml' })), 'xml')
  assert.equal(formatOf(request({ accept: 'text/html,application/xml;q=0.9,*/*' })), 'json')
  assert.equal(formatOf(request({})), 'json')
})
