import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { webAddress } from '../../lib/web-address.js'
import { approvePage } from './approve-page.js'
import { type Brand, brandStyle, contrast, readableOn } from './brand.js'
import { confirmFirstPage, verifyPage } from './confirm-pages.js'
import { contentPolicy } from './content-policy.js'
import { donePage, errorPage } from './message-pages.js'
import { forgotPage, resetPage } from './password-pages.js'
import { pinPage } from './pin-page.js'
import { signInPage } from './sign-in-page.js'
import { styleHash } from './style.js'

const askedAt = new Date('2026-03-14T09:26:53Z')

/** Every page, with the same text for each of its values. */
function pagesOf(text: string, brand: Brand): Readonly<Record<string, string>> {
  const form = { brand, action: text, hidden: { [text]: text }, error: text }
  const device = { type: text, pin: text, askedFrom: text, askedAt }
  return {
    signIn: signInPage({ ...form, appTitle: text, email: text, forgotUrl: text }),
    pin: pinPage({ ...form, pin: text }),
    approve: approvePage({ ...form, appTitle: text, consumerEmail: text, device }),
    done: donePage({ brand, title: text, text }),
    forgot: forgotPage({ ...form, email: text }),
    reset: resetPage({ ...form, email: text }),
    verify: verifyPage(form),
    confirmFirst: confirmFirstPage({ ...form, email: text }),
    error: errorPage({ brand, title: text, text, link: { url: text, label: text } }),
  }
}

const calm: Brand = { title: 'Harbour', logo_url: 'https://cdn.example.com/logo.png', brand_color: '#0a7d55' }
const plain = Object.entries(pagesOf('Words', calm))

test('no value on any page becomes markup', () => {
  const attack = '"><script>alert(1)</script>'
  const brands: Brand[] = [
    { title: attack, logo_url: attack, brand_color: attack, support_url: attack },
    { title: attack, logo_url: `https://a.example/${attack}`, support_url: `https://a.example/${attack}` },
    { title: attack, logo_url: 'javascript:alert(1)', brand_color: `#aabbcc}${attack}` },
  ]
  for (const brand of brands)
    for (const [name, page] of Object.entries(pagesOf(attack, brand))) {
      assert.doesNotMatch(page, /<script/i, name)
      assert.doesNotMatch(page, /javascript:/i, name)
      assert.match(page, /&quot;&gt;&lt;script&gt;/, name)
    }
})

test('every page has one heading, one main part, a language and a title with the channel', () => {
  for (const [name, page] of plain) {
    assert.equal(page.match(/<h1>/g)?.length, 1, name)
    assert.equal(page.match(/<main/g)?.length, 1, name)
    assert.match(page, /^<!doctype html>\n<html lang="en">/, name)
    assert.match(page, /<title>[^<]+ · Harbour<\/title>/, name)
  }
})

test('every visible input has a label, and the elements that describe it exist', () => {
  for (const [name, page] of plain) {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    for (const [input] of page.matchAll(/<input(?! type="hidden"| hidden)[^>]*>/g)) {
      const id = input.match(/ id="([^"]+)"/)?.[1]
      assert.ok(page.includes(`<label for="${id}">`), `${name}: ${input}`)
      for (const described of input.match(/aria-describedby="([^"]+)"/)?.[1]?.split(' ') ?? [])
        assert.ok(ids.includes(described), `${name}: ${described}`)
    }
    assert.equal(new Set(ids).size, ids.length, name)
  }
})

test('an error is an alert, appears in the title, marks the wrong fields, and the first of them has the focus', () => {
  for (const [name, page] of plain.filter(([name]) => ['signIn', 'pin', 'forgot', 'reset'].includes(name))) {
    assert.match(page, /<div class="alert" role="alert" id="alert">Words<\/div>/, name)
    assert.match(page, /<title>Error: /, name)
    assert.equal(page.match(/ autofocus/g)?.length, 1, name)
    assert.match(page, /aria-describedby="alert[^"]*" aria-invalid="true" autofocus>/, name)
  }
})

test('without an error no field is marked and nothing takes the focus', () => {
  const page = pinPage({ brand: calm, action: '/link' })
  assert.doesNotMatch(page, /role="alert"|aria-invalid=|autofocus|Error:/)
})

test('a sign-in error can concern one field, or none', () => {
  const form = { brand: calm, appTitle: 'TV', action: '/', hidden: {}, forgotUrl: '/forgot', error: 'No.' }
  assert.match(signInPage({ ...form, wrong: ['password'] }), /name="password"[^>]*autofocus>/)
  assert.equal(signInPage({ ...form, wrong: ['password'] }).match(/aria-invalid="true"/g)?.length, 1)
  assert.doesNotMatch(signInPage({ ...form, wrong: [] }), /aria-invalid="true"|autofocus/)
})

test('typed values stay, except the password', () => {
  const form = { brand: calm, action: '/', hidden: { state: 'sealed' }, error: 'No.' }
  const page = signInPage({ ...form, appTitle: 'TV', email: 'a@example.com', forgotUrl: '/forgot' })
  assert.match(page, /name="email"[^>]* value="a@example.com"/)
  assert.match(page, /<input type="hidden" name="state" value="sealed">/)
  assert.doesNotMatch(page, /name="password"[^>]* value=/)
  assert.match(pinPage({ ...form, pin: 'abc' }), /name="pin"[^>]* value="abc"/)
})

test('the consent page shows the device, its age, its address and the account', () => {
  const ask = {
    brand: calm,
    action: '/link',
    hidden: {},
    consumerEmail: 'a@example.com',
    appTitle: 'Harbour TV',
    device: { type: 'Roku', askedFrom: '203.0.113.7', askedAt },
  }
  const after = (seconds: number) =>
    approvePage({ ...ask, now: new Date(askedAt.getTime() + seconds * 1000) })

  for (const shown of ['a@example.com', 'Harbour TV', 'Roku', '203.0.113.7', '14 March 2026 at 09:26 UTC'])
    assert.ok(approvePage(ask).includes(shown), shown)
  assert.match(after(20), />Just now</)
  assert.match(after(-20), />Just now</)
  assert.match(after(70), />1 minute ago</)
  assert.match(after(800), />13 minutes ago</)
  assert.match(after(4000), /14 March 2026/)
  assert.doesNotMatch(approvePage({ ...ask, device: { ...ask.device, type: null } }), /<dt>Device/)
})

test('text on the channel’s colour is black or white, whichever is readable', () => {
  assert.equal(readableOn('#ffffff'), '#000000')
  assert.equal(readableOn('#000000'), '#ffffff')
  assert.equal(readableOn('#ffcc00'), '#000000')
  assert.equal(readableOn('#2855c5'), '#ffffff')
  assert.equal(Math.round(contrast('#ffffff', '#000000')), 21)
  for (let value = 0; value < 0x1000000; value += 4099) {
    const color = `#${value.toString(16).padStart(6, '0')}`
    assert.ok(contrast(color, readableOn(color)) >= 4.5, color)
  }
})

test('a button too close to the card’s colour gets an edge', () => {
  assert.match(
    brandStyle({ title: '', brand_color: '#ffffff' }),
    /^\.main\{background:#ffffff;border-color:#747b88;/,
  )
  assert.match(
    brandStyle({ title: '', brand_color: '#0a7d55' }),
    /^\.main\{background:#0a7d55;border-color:#0a7d55;/,
  )
})

test('only six-digit colours and web addresses are used', () => {
  for (const brand_color of ['red', '#fff', '#12345g', '#123456;', 'x#123456', '', null, undefined])
    assert.equal(brandStyle({ title: '', brand_color }), '', String(brand_color))
  for (const url of ['javascript:alert(1)', 'data:image/svg+xml,<svg>', 'logo.png', '//a.example', '', null])
    assert.equal(webAddress(url), undefined, String(url))
  assert.equal(webAddress('http://a.example/"><b>')?.href, 'http://a.example/%22%3E%3Cb%3E')
})

test('the policy allows exactly the style sheets and the logo of the page', () => {
  for (const [name, page] of plain) {
    const policy = contentPolicy(calm)
    const sheets = [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css]) => css ?? '')
    const hashes = sheets.map((css) => `'sha256-${createHash('sha256').update(css).digest('base64')}'`)
    assert.ok(policy.includes(`style-src ${hashes.join(' ')};`), name)
    assert.equal(hashes.length, 2, name)
    assert.match(policy, /img-src https:\/\/cdn\.example\.com;/, name)
  }
  assert.ok(contentPolicy().startsWith(`default-src 'none'; style-src '${styleHash}'; form-action 'self';`))
})

test('the policy lets a form redirect to an app, by origin or by custom scheme', () => {
  assert.match(
    contentPolicy(calm, ['https://app.example.com:8443/back?x=1', 'com.example.tv:/back']),
    /form-action 'self' https:\/\/app\.example\.com:8443 com\.example\.tv:;/,
  )
})

test('a page without a channel has neither header nor footer', () => {
  const page = errorPage({ title: 'This link does not work', text: 'Go back to the app.' })
  assert.match(page, /<title>This link does not work<\/title>/)
  assert.doesNotMatch(page, /<header|<footer|<img/)
})
