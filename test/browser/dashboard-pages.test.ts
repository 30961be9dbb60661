import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pages } from '../../packages/dashboard/src/app/pages.js'
import {
  barriersOn,
  type Dashboard,
  goTo,
  overflowOf,
  phone,
  problemsOf,
  startDashboard,
} from '../support/dashboard.js'

let dashboard: Dashboard
before(async () => {
  dashboard = await startDashboard()
})
after(() => dashboard.stop())

/** Those that need nothing to be there. */
const paths = pages.filter(({ path, isPublic }) => !isPublic && !path.includes('$')).map(({ path }) => path)
const looks = {
  'a desk in light': { colorScheme: 'light' },
  'a phone in dark': { ...phone, colorScheme: 'dark' },
} as const

for (const [where, options] of Object.entries(looks))
  test(`on ${where} every page of an empty channel can be used by everybody`, async () => {
    const page = await dashboard.open('/', options)
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    for (const path of paths) {
      await goTo(page, path)
      assert.deepEqual(await barriersOn(page), [], path)
      assert.equal(await overflowOf(page), 0, path)
      assert.deepEqual(problemsOf(page), [], path)
    }
    await page.context().close()
  })

test('a page that is not there says so, and leads back', async () => {
  const page = await dashboard.open('/')
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.goto(`${dashboard.api.url}/dashboard/nothing/of/the/kind`)
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  await page.getByRole('link', { name: 'Go to the start page' }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.context().close()
})

test('a lost connection is told, and the page goes on by itself', async () => {
  const page = await dashboard.open('/videos')
  await page.getByRole('heading', { name: 'Videos', level: 1 }).waitFor()
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await page.context().setOffline(false)
  await page.getByText('You are offline.').waitFor({ state: 'detached' })
  await page.context().close()
})

/** One page of each make. */
const somePages = [
  '/',
  '/videos',
  '/videos/$id',
  '/upload',
  '/consumers',
  '/consumers/$id',
  '/zobjects/$type',
]
const others = ['/keys', '/requests', '/settings/formats', '/team']

test('where nothing comes from the server a page says so, under its name, and tries again', async () => {
  const page = await dashboard.open('/account')
  await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor()
  let isBroken = true
  const isData = ({ pathname }: URL) => /^\/(dashboard\/api\/(?!session$)|(?!dashboard))/.test(pathname)
  const answer = { status: 422, contentType: 'application/json', body: '{"message":"Not today."}' }
  await page.route(isData, (route) => (isBroken ? route.fulfill(answer) : route.continue()))
  for (const path of [...somePages, ...others]) {
    await goTo(page, path.replace(/\$\w+/, '65f0c0ffee0123456789abcd'))
    await page.getByRole('alert').filter({ hasText: 'Not today.' }).first().waitFor()
  }
  assert.deepEqual(await barriersOn(page), [])
  isBroken = false
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await page.getByRole('region', { name: 'People' }).waitFor()
  await page.context().close()
})
