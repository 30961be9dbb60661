import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pages } from '../../packages/dashboard/src/app/pages.js'
import { barriersOn, goTo, overflowOf, phone, problemsOf } from '../support/dashboard.js'
import { leave, looks, withDashboard } from '../support/dashboard-tests.js'
import { addPublisher, password } from '../support/publishers.js'

const dashboard = withDashboard()

/** Pages that need no record. */
const paths = pages.filter(({ path, isPublic }) => !isPublic && !path.includes('$')).map(({ path }) => path)

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

test('a page that is not there says so within the navigation, and leads back', async () => {
  const page = await dashboard.open('/')
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.goto(`${dashboard.api.url}/dashboard/nothing/of/the/kind`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  assert.equal(await page.title(), 'Page not found · Zoetrope')
  assert.ok(await page.getByRole('navigation').getByRole('link', { name: 'Videos', exact: true }).isVisible())
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.context().close()
})

test('a lost connection is shown, and the page recovers automatically', async () => {
  const page = await dashboard.open('/videos')
  await page.getByRole('heading', { name: 'Videos', level: 1 }).waitFor()
  await page.context().setOffline(true)
  await page.getByText('You’re offline.').waitFor()
  await page.context().setOffline(false)
  await page.getByText('You’re offline.').waitFor({ state: 'detached' })
  await page.context().close()
})

/** One page of each kind. */
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
  await page.getByRole('region', { name: 'Members' }).waitFor()
  await page.context().close()
})

test('where a session ends, the password is asked for over the page, and what was typed is saved', async () => {
  const { api } = dashboard
  const page = await dashboard.open('/categories/new')
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Kept')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Create' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByText('The e-mail address or the password is wrong.').waitFor()
  assert.deepEqual(await barriersOn(page), [])
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Kept', level: 1 }).waitFor()

  // Closing the dialog keeps the draft, and leaves a button that signs in.
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Changed')
  await page.context().clearCookies()
  // If something that the page reads is refused first, the dialog is over the button already.
  await page.getByRole('button', { name: 'Save' }).dispatchEvent('click')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('textbox', { name: 'Title', exact: true }).inputValue(), 'Changed')
  // On a phone too, the message does not cover the buttons Save and Discard changes.
  await page.setViewportSize({ width: 390, height: 780 })
  for (const name of ['Save', 'Discard changes'])
    await page.getByRole('button', { name }).click({ trial: true })
  await page.getByRole('status').getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor()

  // The draft is discarded if another publisher signs in.
  const other = await addPublisher(api, [api.channel, 'editor'])
  await dialog.getByLabel('E-mail address').fill(other.email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: `Signed in as ${other.email}` }).waitFor()
  await page.getByRole('heading', { name: 'Kept', level: 1 }).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Title', exact: true }).inputValue(), 'Kept')
  await leave(page)
})

test('deleting a record does not ask about its unsaved changes', async () => {
  const { _id } = await dashboard.api
    .as('admin')
    .ad_tags.create({ name: 'Passing', tag: 'https://ads.example/tag' })
  const page = await dashboard.open(`/ad-tags/${_id}`)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Not saved')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Ad tags', level: 1 }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await leave(page)
})

test('an upload continues in its channel after switching to another one', async () => {
  const page = await dashboard.open('/upload', { also: [dashboard.api.other] })
  await page.route('**/uploads/tus/*', () => undefined)
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  const film = { name: 'left-behind.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(1000) }
  await page.locator('input[type=file]').first().setInputFiles(film)
  await page.getByRole('link', { name: 'Add details: left-behind.mp4' }).waitFor()
  await page.getByRole('button', { name: /^Channel: / }).click()
  await page.getByRole('menuitem', { name: /Other/ }).click()
  await page.getByRole('link', { name: /^Uploading/ }).click()
  await page.getByText('In the channel One').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Add details: left-behind.mp4' }).count(), 0)

  // Signing out asks before it stops uploads, and leaves nothing in the tab for the next publisher.
  const signOut = async () => {
    await page.getByRole('button', { name: /^Signed in as/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  const question = page.getByRole('dialog', { name: 'Uploads in progress' })
  await signOut()
  await question.getByRole('button', { name: 'Stay' }).click()
  await question.waitFor({ state: 'detached' })
  await signOut()
  await question.getByRole('button', { name: 'Stop uploads and sign out' }).click()
  const other = await addPublisher(dashboard.api, [dashboard.api.channel, 'editor'])
  await page.getByLabel('E-mail address').fill(other.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Upload', exact: true }).click()
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  assert.equal(await page.getByText('In the channel One').count(), 0)
  await page.context().close()
})

test('switching the channel or signing out asks about unsaved changes first', async () => {
  const { _id } = await dashboard.api.as('admin').categories.create({ title: 'Of one channel' })
  const page = await dashboard.open(`/categories/${_id}`, { also: [dashboard.api.other] })
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  await title.fill('Not saved yet')
  const question = page.getByRole('dialog', { name: 'Unsaved changes' })
  const ways: readonly (readonly [RegExp, RegExp])[] = [
    [/^Signed in as/, /Sign out/],
    [/^Channel: /, /Other/],
  ]
  const take = async ([menu, entry]: readonly [RegExp, RegExp], answer: string) => {
    await page.getByRole('button', { name: menu }).click()
    await page.getByRole('menuitem', { name: entry }).click()
    await question.getByRole('button', { name: answer }).click()
    await question.waitFor({ state: 'detached' })
  }
  for (const way of ways) {
    await take(way, 'Stay')
    assert.equal(await title.inputValue(), 'Not saved yet')
  }
  // After Stay, leaving the page later does not change the channel.
  await page.getByRole('link', { name: 'Playlists', exact: true }).click()
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { name: 'Playlists', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Channel: One. Switch channel' }).waitFor()

  await page.goto(`${dashboard.api.url}/dashboard/categories/${_id}`)
  await title.fill('Never saved')
  await take([/^Channel: /, /Other/], 'Discard changes')
  await page.getByRole('button', { name: 'Channel: Other. Switch channel' }).waitFor()
  assert.match(new URL(page.url()).pathname, /^\/dashboard\/c\/[0-9a-f]{24}\/$/)
  await leave(page)
})

test('a rule profile is created once, and chosen for a playlist', async () => {
  const list = await dashboard.api.as('admin').playlists.create({ title: 'At home' })
  const page = await dashboard.open('/audience-rules', phone)
  await page.getByRole('heading', { name: 'No profiles yet' }).waitFor()
  await page.getByRole('link', { name: 'New profile' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('German-speaking countries')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('No rules yet, so everyone can watch.').waitFor()
  await page.getByRole('button', { name: 'Add a rule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a rule' })
  await dialog.getByRole('combobox', { name: 'Viewers who match' }).selectOption('allow')
  const match = dialog.getByRole('combobox', { name: 'Place' })
  await match.selectOption('country')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await match.and(page.locator(':focus')).waitFor()
  await dialog.getByText('must name at least one').waitFor()
  await dialog.getByRole('combobox', { name: 'Countries' }).fill('de')
  await page.keyboard.press('Enter')
  await dialog.getByRole('combobox', { name: 'Sites' }).fill('films.example')
  await page.keyboard.press('Enter')
  assert.deepEqual([await barriersOn(page), await overflowOf(page)], [[], 0])
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText('in Germany · on films.example').waitFor()
  await page.getByRole('button', { name: /^Edit the rule in Germany/ }).click()
  const edit = page.getByRole('dialog', { name: 'Edit' })
  await edit.getByRole('combobox', { name: 'Countries' }).fill('AT')
  await page.keyboard.press('Enter')
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.getByText('in Germany, Austria · on films.example').waitFor()
  const [profile] = (await dashboard.api.as('admin').content_rule_profiles.list()).response
  assert.deepEqual(
    profile?.content_rules.map(({ policy, match_type, countries }) => [policy, match_type, countries]),
    [['allow', 'country', ['DE', 'AT']]],
  )
  await page.goto(`${dashboard.api.url}/dashboard/playlists/${list._id}`)
  await page.getByRole('combobox', { name: 'Profile' }).click()
  await page.getByRole('option', { name: 'German-speaking countries' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Saved/).waitFor()
  assert.equal(
    (await dashboard.api.as('admin').playlists.get(list._id)).content_rule_profile_id,
    profile?._id,
  )
  await page.getByRole('link', { name: 'Open this profile' }).click()
  await page.getByRole('button', { name: /^Delete the rule in Germany/ }).click()
  await page.getByText('No rules yet, so everyone can watch.').waitFor()
  const deleted = page.getByRole('alert').filter({ hasText: 'Rule deleted' })
  await deleted.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('in Germany, Austria · on films.example').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText(/have this profile/).waitFor()
  assert.deepEqual(problemsOf(page), [])
  await page.context().close()
})
