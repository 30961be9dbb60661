import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../../test/support/work.js'
import { readDocument } from './xml-document.js'
import { XmlRefused } from './xml-reader.js'

test('a document becomes elements with attributes and text, in any encoding of the text', () => {
  const root = readDocument(`<?xml version="1.0"?><!-- a guide --><!DOCTYPE tv SYSTEM "xmltv.dtd">
    <tv a="1 &amp; 2"><x>&lt;b&gt; &#8364;&#x20ac;</x><y><![CDATA[a <b> & c]]> d</y><z/></tv>`)
  assert.deepEqual([root.name, root.attributes.a], ['tv', '1 & 2'])
  assert.deepEqual(
    root.children.map(({ name, text }) => [name, text]),
    [
      ['x', '<b> €€'],
      ['y', 'a <b> & c d'],
      ['z', ''],
    ],
  )
})

test('a document with its own declarations is refused, and its entities are never expanded', () => {
  for (const written of [
    '<!DOCTYPE a [<!ENTITY x "boo">]><a>&x;</a>',
    '<!DOCTYPE a SYSTEM "file:///etc/passwd" [ ]><a/>',
    '<!DOCTYPE a SYSTEM "x"><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    '<a><!ENTITY x "boo">&x;</a>',
  ])
    assert.throws(() => readDocument(written), XmlRefused, written)
  assert.equal(readDocument('<a>&unknown; &x;</a>').text, '&unknown; &x;')
  assert.equal(readDocument('<a><![CDATA[<!DOCTYPE html>]]></a>').text, '<!DOCTYPE html>')
})

test('malformed, oversized and deeply nested documents are refused with a reason', () => {
  assert.throws(() => readDocument('{"a": 1}'), XmlRefused)
  assert.throws(() => readDocument(''), XmlRefused)
  assert.throws(() => readDocument('<a><b></a>'), /not well-formed/)
  assert.throws(() => readDocument(`<a>${'<b/>'.repeat(400_001)}</a>`), /more than 400,000 elements/)
  assert.throws(() => readDocument('<a>'.repeat(40) + '</a>'.repeat(40)), /nests deeper/)
})

test('characters that cannot be stored are removed, and an attribute may have any name', () => {
  const { text } = readDocument('<a>1&#0;2&#xd800;3</a>')
  assert.equal(text.startsWith('12'), true)
  assert.equal(text.isWellFormed(), true)
  const { attributes } = readDocument('<a __proto__="x" constructor="y"/>')
  assert.deepEqual(Object.entries(attributes), [
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ])
  assert.equal(readDocument('<a b="1&#0;2&#1;"/>').attributes.b, '12')
})

test('an ampersand that begins no reference is kept as text', () => {
  const { attributes, text } = readDocument(
    '<a url="?b=1&c=2&amp;d">Tom & Jerry &#;&hellip;<![CDATA[ & &amp;]]></a>',
  )
  assert.equal(attributes.url, '?b=1&c=2&d')
  assert.equal(text, 'Tom & Jerry &#;&hellip; & &amp;')
})

test('no document makes parsing slow, whatever precedes its root or is left unclosed', () => {
  assert.equal(readDocument(`${'<!-- x -->'.repeat(5000)}<!DOCTYPE a><a/>`).name, 'a')
  assert.equal(readDocument(`${'<!-- x -->'.repeat(5000)}<a/>`).name, 'a')
  assert.throws(() => readDocument(' '.repeat(5_000_000)), XmlRefused)
  assert.throws(() => readDocument(`<a>${'<![CDATA['.repeat(500_000)}`), XmlRefused)
  const linear = ['<!-- x -->', '<![CDATA[', ' ', '<a>', '&#x1', '&', '<!DOCTYPE ']
  for (const piece of linear)
    assertLinear((count) => {
      try {
        readDocument(piece.repeat(count))
      } catch (error) {
        assert.ok(error instanceof XmlRefused)
      }
    }, 1000)
})
