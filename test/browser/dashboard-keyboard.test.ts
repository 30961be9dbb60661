/** Every page of the dashboard, with the keyboard alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { pages } from '../../packages/dashboard/src/app/pages.js'
import { goTo, settled } from '../support/dashboard.js'
import { leave, withDashboard } from '../support/dashboard-tests.js'

const records: string[] = []
const dashboard = withDashboard(async ({ api }) => {
  const admin = api.as('admin')
  const { _id: playlist } = await admin.playlists.create({ title: 'Winter' })
  const { _id: consumer } = await admin.consumers.create({ email: 'ada@example.org' })
  const { _id: feed } = await admin.feeds.create({ title: 'Winter', playlist_id: playlist })
  await admin.videos.create({ title: 'Kites' })
  await admin.keys.create({ name: 'Backup', scopes: ['*:read'] })
  records.push(`/playlists/${playlist}`, `/consumers/${consumer}`, `/feeds/${feed}`)
  return undefined
})

interface Focus {
  readonly place: 'navigation' | 'page' | 'elsewhere'
  readonly name: string
  /** The path that a link leads to, without the channel. */
  readonly path: string | undefined
  readonly isFolded: boolean
  readonly isVisible: boolean
  /** It had the focus already when it was last described. */
  readonly isStuck: boolean
  /** What it opens: a dialog, a menu or a list. */
  readonly popup: string | null
}

/** Describes the element with the focus. */
const focusOn = (page: Page): Promise<Focus> =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body
    const memory = window as unknown as { describedElement?: Element }
    // Tab moves between the parts of a date, which is one element.
    const isStuck = memory.describedElement === element && !element.matches('input[type=date]')
    memory.describedElement = element
    const isIn = (selector: string) => element !== document.body && element.closest(selector) !== null
    const href = element.getAttribute('href')
    return {
      place: isIn('nav') ? 'navigation' : isIn('main') ? 'page' : 'elsewhere',
      name: (element.getAttribute('aria-label') ?? element.textContent ?? '').trim(),
      path: href?.replace(/^\/dashboard(\/c\/\w{24})?/, ''),
      isFolded: element.getAttribute('aria-expanded') === 'false',
      isVisible: element.checkVisibility(),
      isStuck,
      popup: element.getAttribute('aria-haspopup'),
    }
  })

/** Presses the skip link, which leads into the page. */
async function skip(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Skip to content' }).focus()
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'page')
}

test('the skip link comes first; then Tab reaches every page of the menu, and Enter opens it', async () => {
  const page = await dashboard.open('/')
  await settled(page)
  await page.keyboard.press('Tab')
  assert.equal((await focusOn(page)).name, 'Skip to content')
  const opened: string[] = []
  for (let steps = 0; steps < 100; steps += 1) {
    await page.keyboard.press('Tab')
    const { place, path, isFolded } = await focusOn(page)
    if (place === 'page') break
    if (place === 'navigation' && isFolded) {
      await page.keyboard.press('Enter')
      await page.locator('nav [aria-expanded=true]:focus').waitFor()
    }
    if (place !== 'navigation' || path === undefined) continue
    await page.keyboard.press('Enter')
    await page.locator('nav a[aria-current=page]:focus').waitFor()
    await page.waitForURL(`**${path}`)
    await settled(page)
    opened.push(path)
  }
  assert.deepEqual(
    opened,
    pages.flatMap(({ path, menu }) => (menu ? [path] : [])),
  )
  await leave(page)
})

/** Opens what the focused button announces, closes it with Escape, and checks where the focus is each time. */
async function openAndClose(page: Page, where: string): Promise<void> {
  const opener = await page.evaluateHandle(() => document.activeElement as HTMLElement)
  const kind = await opener.evaluate((button) => button.getAttribute('aria-haspopup'))
  const popup = page.locator(`[role=${kind}]:visible`)
  await page.keyboard.press('Enter')
  await popup.waitFor()
  await popup
    .locator(':focus')
    .or(popup.and(page.locator(':focus')))
    .first()
    .waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await popup.waitFor({ state: 'detached' })
  const isBack = await page
    .waitForFunction((button) => document.activeElement === button, opener, { timeout: 10_000 })
    .catch(() => undefined)
  assert.ok(isBack, `${where}: the focus is on "${(await focusOn(page)).name}"`)
}

test('on every page Tab passes all controls, and dialogs and menus close with Escape and give the focus back', async () => {
  const page = await dashboard.open('/')
  await settled(page)
  const paths = pages.filter(({ path, isPublic }) => !isPublic && !path.includes('$')).map(({ path }) => path)
  const tried = new Set<string>()
  for (const path of [...paths, ...records]) {
    await goTo(page, path)
    await skip(page)
    await focusOn(page)
    let [hasLeft, steps] = [false, 0]
    for (; steps < 150 && !hasLeft; steps += 1) {
      await page.keyboard.press('Tab')
      const { place, name, isVisible, isStuck, popup } = await focusOn(page)
      assert.deepEqual({ path, name, isStuck, isVisible }, { path, name, isStuck: false, isVisible: true })
      hasLeft = place !== 'page'
      // The same button opens the same dialog on every page.
      const isNew = !tried.has(`${name} ${popup}`)
      if (hasLeft || !isNew || (popup !== 'dialog' && popup !== 'menu')) continue
      tried.add(`${name} ${popup}`)
      await openAndClose(page, `${path}, ${name}`)
    }
    assert.ok(hasLeft, `${path} does not let the focus out`)
  }
  assert.ok(tried.size >= 6, [...tried].join(', '))
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog', { name: 'Go to…' }).locator(':focus').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Shift+?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('F8').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await leave(page)
})
