import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from './html.js'

test('text is escaped inside an element and inside a quoted attribute', () => {
  const evil = `<script>alert("1" & '2')</script>`
  const escaped = '&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;'
  assert.equal(html`<p title="${evil}">${evil}</p>`.html, `<p title="${escaped}">${escaped}</p>`)
})

test('markup made by a template is inserted unescaped, alone and in a list', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`)
  assert.equal(html`<ul>${items}</ul>`.html, '<ul><li>a</li><li>&lt;b&gt;</li></ul>')
  assert.equal(html`<div>${html`<p>${'&'}</p>`}</div>`.html, '<div><p>&amp;</p></div>')
})

test('absent values and false render as nothing; zero and empty text render as themselves', () => {
  assert.equal(html`[${undefined}${null}${false}${[]}${''}]`.html, '[]')
  assert.equal(html`${0} of ${10}`.html, '0 of 10')
})

test('an object that merely looks like markup is escaped', () => {
  const forged = JSON.parse('{"html":"<script>"}')
  assert.ok(!html`${forged}`.html.includes('<script>'))
})
