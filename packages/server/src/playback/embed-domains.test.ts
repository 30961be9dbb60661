import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameAncestors, mayEmbed, mayShare } from './embed-domains.js'

const ours = 'https://player.example.net'
const domains = ['example.com', '*.films.example.org', 'localhost:3000', 'Big.Example']

test('without a list every site may embed, with or without a referrer', () => {
  for (const headers of [{}, { origin: 'null' }, { referer: 'https://anywhere.test/' }])
    assert.equal(mayEmbed([], headers, ours), true)
})

test('sites on the list may embed, identified by origin or referrer', () => {
  for (const site of [
    'https://example.com',
    'http://example.com',
    'https://example.com:8443',
    'https://EXAMPLE.com',
    'https://a.films.example.org',
    'https://a.b.films.example.org',
    'http://localhost:3000',
    'https://big.example',
    ours,
  ]) {
    assert.equal(mayEmbed(domains, { origin: site }, ours), true, site)
    assert.equal(mayEmbed(domains, { referer: `${site}/page?q=1` }, ours), true, site)
  }
})

test('other sites may not embed, even with similar names', () => {
  for (const site of [
    undefined,
    '',
    'null',
    'https://evil-example.com',
    'https://evilexample.com',
    'https://example.com.evil.test',
    'https://example.com.',
    'https://www.example.com',
    'https://films.example.org',
    'https://evilfilms.example.org',
    'http://localhost',
    'http://localhost:3001',
    'http://127.0.0.1:3000',
    'https://example.com@evil.test',
    'https://evil.test@example.com',
    'https://user:word@example.com',
    'https://evil.test/?https://example.com',
    'https://evil.test#example.com',
    'https://evil.test\\@example.com',
    'file://example.com/x',
    'example.com',
    'https://exаmple.com',
    'https://player.example.net.evil.test',
    'http://player.example.net',
  ])
    for (const headers of [{ origin: site }, { referer: site }])
      assert.equal(mayEmbed(domains, headers, ours), false, String(site))
})

test('the origin takes precedence over the referrer', () => {
  const headers = { origin: 'https://evil.test', referer: 'https://example.com/' }
  assert.equal(mayEmbed(domains, headers, ours), false)
  assert.equal(mayEmbed(domains, { ...headers, origin: 'null' }, ours), false)
})

test('a share page may be visited from anywhere, but not read by scripts of other sites', () => {
  assert.equal(mayShare(domains, {}, ours), true)
  assert.equal(mayShare(domains, { referer: 'https://news.test/' }, ours), true)
  assert.equal(mayShare(domains, { origin: 'https://example.com' }, ours), true)
  assert.equal(mayShare(domains, { origin: 'https://evil.test' }, ours), false)
  assert.equal(mayShare(domains, { origin: 'null' }, ours), false)
})

test('the browser receives the same list', () => {
  assert.equal(frameAncestors([], ours), undefined)
  assert.equal(
    frameAncestors(['*.example.com', 'localhost:3000'], ours),
    `frame-ancestors 'self' ${ours} https://*.example.com:* http://*.example.com:* https://localhost:3000 http://localhost:3000`,
  )
})
