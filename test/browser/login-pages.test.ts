import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { approvePage } from '../../packages/server/src/login/pages/approve-page.js'
import { type Brand, contrast } from '../../packages/server/src/login/pages/brand.js'
import { verifyPage } from '../../packages/server/src/login/pages/confirm-pages.js'
import { contentPolicy } from '../../packages/server/src/login/pages/content-policy.js'
import { donePage, errorPage } from '../../packages/server/src/login/pages/message-pages.js'
import { forgotPage, resetPage } from '../../packages/server/src/login/pages/password-pages.js'
import { pinPage } from '../../packages/server/src/login/pages/pin-page.js'
import { signInPage } from '../../packages/server/src/login/pages/sign-in-page.js'
import { openBrowser } from '../support/browser.js'

/** Where to save screenshots of the pages for inspection. */
const shots = process.env.SHOTS

const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="180" height="48" viewBox="0 0 180 48">
<circle cx="24" cy="24" r="20" fill="#0a7d55"/><text x="54" y="33" font-family="sans-serif" font-size="26">Harbour</text></svg>`

const brands = {
  plain: { title: 'Harbour Films' },
  branded: { title: 'Harbour', brand_color: '#0a7d55', support_url: 'https://help.example.com/' },
  pale: { title: 'قناة الميناء', brand_color: '#fff3c4', support_url: 'https://help.example.com/' },
  long: { title: 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(2), brand_color: '#1b1e24' },
} satisfies Record<string, Brand>
type BrandName = keyof typeof brands

const device = {
  type: 'Television',
  pin: 'k7m2qxz',
  askedFrom: '2001:db8::8a2e:370:7334',
  askedAt: new Date(),
}
const longMail = 'somebody.with.a.very.long.address@subdomain.of.a.company.example.com'

/** Each page: its content, and its tab stops in order. */
const pages: Readonly<Record<string, { make(brand: Brand): string; stops: readonly string[] }>> = {
  'sign-in': {
    make: (brand) => signInPage({ brand, appTitle: 'Harbour TV', ...form, forgotUrl: '/forgot' }),
    stops: ['email', 'password', 'Sign in', 'Forgot your password?'],
  },
  pin: { make: (brand) => pinPage({ brand, action: '/' }), stops: ['pin', 'Continue'] },
  approve: {
    make: (brand) =>
      approvePage({
        brand,
        ...form,
        consumerEmail: longMail,
        appTitle: 'Harbour TV',
        device,
        now: new Date(),
      }),
    stops: ['Link device', 'Cancel'],
  },
  done: {
    make: (brand) =>
      donePage({ brand, title: 'Your TV is linked', text: 'You can go back to it now. Enjoy the show.' }),
    stops: [],
  },
  forgot: { make: (brand) => forgotPage({ brand, ...form }), stops: ['email', 'Send link'] },
  reset: {
    make: (brand) => resetPage({ brand, ...form, email: longMail }),
    stops: ['password', 'Save password'],
  },
  verify: { make: (brand) => verifyPage({ brand, ...form }), stops: ['Confirm e-mail address'] },
  error: {
    make: (brand) =>
      errorPage({ brand, title: 'This link does not work', text: 'Go back to the app and start again.' }),
    stops: [],
  },
  'sign-in-wrong': {
    make: (brand) =>
      signInPage({
        brand,
        appTitle: 'Harbour TV',
        ...form,
        forgotUrl: '/forgot',
        email: longMail,
        error: 'The e-mail address or the password is not right. Please check both and try again.',
      }),
    stops: ['password', 'Sign in', 'Forgot your password?'],
  },
  'pin-wrong': {
    make: (brand) =>
      pinPage({ brand, action: '/', pin: 'k7m 2qxz', error: 'This PIN is not known or has expired.' }),
    stops: ['Continue'],
  },
}
const form = { action: '/', hidden: { state: 'sealed' } }

const server = createServer((request, response) => {
  const [, name = '', brandName = ''] = new URL(request.url ?? '/', 'http://localhost').pathname.split('/')
  if (name === 'logo.svg') return response.setHeader('content-type', 'image/svg+xml').end(logo)
  const brand = brandOf(brandName as BrandName)
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.setHeader('content-security-policy', contentPolicy(brand))
  return response.end(pages[name]?.make(brand))
})
let origin: string
let browser: Browser

const brandOf = (name: BrandName): Brand =>
  name === 'branded' ? { ...brands.branded, logo_url: `${origin}/logo.svg` } : brands[name]

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  server.close()
  server.closeAllConnections()
})

const screens = [
  { width: 320, height: 640, colorScheme: 'light' },
  { width: 320, height: 640, colorScheme: 'dark' },
  { width: 1280, height: 800, colorScheme: 'light' },
  { width: 1280, height: 800, colorScheme: 'dark' },
] as const

/** Opens every page of the brands on a screen. Returns the console messages and failed requests. */
async function visit(
  from: Browser,
  { width, height, colorScheme }: (typeof screens)[number],
  names: readonly BrandName[],
  look: (page: Page, where: string) => Promise<void>,
): Promise<string[]> {
  const page = await from.newPage({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' })
  const errors: string[] = []
  page.on('console', (message) => errors.push(message.text()))
  page.on('requestfailed', (request) => errors.push(request.url()))
  for (const brandName of names)
    for (const name of Object.keys(pages)) {
      await page.goto(`${origin}/${name}/${brandName}`)
      await look(page, `${name}-${brandName}-${width}-${colorScheme}`)
    }
  await page.close()
  return errors
}

async function assertNoSidewaysScrolling(page: Page, where: string): Promise<void> {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
  assert.ok(Number(overflow) <= 0, `${where} is wider than the screen by ${overflow} pixels`)
}

/** The color and the background color of every text, as #rrggbb. */
const textColors = `
  [...document.querySelectorAll('body *')].filter((element) =>
    element.matches('input:not([type=hidden], [hidden])') ||
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
  ).map((element) => {
    let behind = element
    while (getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement
    const hex = (color) => '#' + color.match(/\\d+/g).slice(0, 3).map((part) => (+part).toString(16).padStart(2, '0')).join('')
    return [element.textContent, hex(getComputedStyle(element).color), hex(getComputedStyle(behind).backgroundColor)]
  })`

for (const screen of screens)
  test(`every page fits ${screen.width} pixels and can be read in the ${screen.colorScheme}`, async () => {
    const names: BrandName[] = screen.width < 400 ? ['branded', 'pale', 'long'] : ['plain', 'branded']
    const errors = await visit(browser, screen, names, async (page, where) => {
      await assertNoSidewaysScrolling(page, where)
      for (const [text, color, behind] of (await page.evaluate(textColors)) as [string, string, string][])
        assert.ok(contrast(color, behind) >= 4.5, `${where}: ${color} on ${behind}: ${text}`)
      if (shots) await page.screenshot({ path: `${shots}/${where}.png`, fullPage: true })
    })
    assert.deepEqual(errors, [])
  })

test('every page fits a phone whose owner reads text of twice the size', async () => {
  const large = await openBrowser('--blink-settings=defaultFontSize=32')
  try {
    await visit(large, screens[0], ['branded', 'long'], async (page, where) => {
      assert.equal(await page.evaluate('getComputedStyle(document.body).fontSize'), '32px')
      await assertNoSidewaysScrolling(page, where)
      if (shots) await page.screenshot({ path: `${shots}/${where}-large.png`, fullPage: true })
    })
  } finally {
    await large.close()
  }
})

test('every control has an accessible name', async () => {
  await visit(browser, screens[0], ['branded'], async (page, where) => {
    const session = await page.context().newCDPSession(page)
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    const used = nodes.filter(({ role }) => ['textbox', 'button', 'link', 'image'].includes(role?.value))
    assert.ok(used.length > 0, where)
    for (const { role, name } of used) assert.ok(name?.value, `${where}: a ${role?.value} without a name`)
    await session.detach()
  })
})

test('the tab key goes through a page from top to bottom, and shows where it is', async () => {
  await visit(browser, screens[2], ['branded'], async (page, where) => {
    const name = where.split('-branded')[0] ?? ''
    if (name.endsWith('-wrong')) await page.locator('[autofocus]:focus').waitFor()
    for (const stop of [...(pages[name]?.stops ?? []), 'Get help from Harbour']) {
      await page.keyboard.press('Tab')
      const focused = page.locator(':focus')
      assert.equal((await focused.textContent()) || (await focused.getAttribute('name')), stop, where)
      assert.match(
        String(await page.evaluate('getComputedStyle(document.activeElement).outline')),
        /solid 3px/,
      )
    }
  })
})

test('inputs are large enough that a phone does not zoom, and everything to press fits a thumb', async () => {
  await visit(browser, screens[0], ['branded'], async (page, where) => {
    const sizes =
      await page.evaluate(`[...document.querySelectorAll('input:not([type=hidden], [hidden]), button, a')].map(
      (element) => [element.getBoundingClientRect().height, parseFloat(getComputedStyle(element).fontSize), element.localName])`)
    for (const [height, font, kind] of sizes as [number, number, string][]) {
      assert.ok(height >= (kind === 'a' ? 32 : 44), `${where}: ${kind} of ${height} pixels`)
      if (kind === 'input') assert.ok(font >= 16, `${where}: text of ${font} pixels`)
    }
  })
})

test('a wrong field has the focus, and its message is read out with it', async () => {
  const page = await browser.newPage()
  await page.goto(`${origin}/sign-in-wrong/plain`)
  await page.locator('input[name=email]:focus').waitFor()

  assert.match(await page.getByRole('alert').innerText(), /not right/)
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  const described = nodes.find(({ name, role }) => role?.value === 'textbox' && name?.value === 'Password')
  assert.match(String(described?.description?.value), /not right/)
  await page.close()
})
