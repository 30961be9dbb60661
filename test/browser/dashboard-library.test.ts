import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { refreshSource } from '../../packages/server/src/jobs/refresh-source.job.js'
import { barriersOn, goTo, overflowOf, phone } from '../support/dashboard.js'
import { leave, withDashboard } from '../support/dashboard-tests.js'
import { contextOf } from '../support/media.js'
import { untilEqual, until as untilSo } from '../support/patience.js'

const dashboard = withDashboard()

const admin = () => dashboard.api.as('admin')
const idIn = (page: Page) => page.url().split('/').at(-1) ?? ''

test('videos are put in a playlist and in order, by keyboard, and one is taken out and put back', async () => {
  const ids: string[] = []
  for (const title of ['First film', 'Second film', 'Third film'])
    ids.push((await admin().videos.create({ title }))._id)
  const page = await dashboard.open('/playlists')
  await page.getByRole('heading', { name: 'No playlists yet' }).waitFor()
  await page.getByRole('link', { name: 'New playlist' }).first().click()
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Evening')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Evening', level: 1 }).waitFor()
  const playlist = idIn(page)

  for (const title of ['First film', 'Second film', 'Third film']) {
    await page.getByRole('combobox', { name: 'Videos to add' }).fill(title)
    await page.getByRole('option', { name: title }).click()
  }
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add videos' }).click()
  await page.getByRole('link', { name: 'Third film' }).waitFor()
  await page.getByRole('button', { name: 'Move Third film up' }).focus()
  await page.keyboard.press('Enter')
  const order = async () => (await admin().playlists.videos(playlist)).response.map(({ title }) => title)
  const until = (wanted: string[]) => untilEqual<(string | null)[]>(order, wanted)
  await until(['First film', 'Third film', 'Second film'])
  await page.getByRole('button', { name: 'Remove First film' }).click()
  await until(['Third film', 'Second film'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(['First film', 'Third film', 'Second film'])
  await leave(page)
})

test('a playlist of more than a hundred videos is shown and put in order to its end', async () => {
  const ids: string[] = []
  for (let number = 1; number <= 102; number += 1)
    ids.push((await admin().videos.create({ title: `Part ${number}` }))._id)
  const { _id } = await admin().playlists.create({ title: 'Long serial', playlist_type: 'manual' })
  await admin().playlists.addVideos(_id, { video_id: ids })
  const page = await dashboard.open(`/playlists/${_id}`)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByRole('button', { name: 'Move Part 102 up' }).click()
  await page.getByText('Part 102 is number 101 of 102').waitFor()
  for (const id of ids) await admin().videos.remove(id)
  await page.context().close()
})

test('a playlist that fills itself shows what its rules find, and playlists stand in a tree', async () => {
  const genre = await admin().categories.create({ title: 'Genre', values: ['Drama'] })
  await admin().videos.create({
    title: 'A drama',
    categories_attributes: [{ category_id: genre._id, value: ['Drama'] }],
  })
  const parent = await admin().playlists.create({ title: 'Shelf' })
  const { _id } = await admin().playlists.create({
    title: 'Dramas',
    parent_id: parent._id,
    playlist_type: 'category',
    categories: [{ category_id: genre._id, value: ['Drama'] }],
  })
  const page = await dashboard.open(`/playlists/${_id}`)
  await page.getByRole('link', { name: 'A drama' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add videos' }).count(), 0)
  await page.getByRole('link', { name: 'Playlists' }).first().click()
  await page.locator('label', { hasText: 'Tree' }).click()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Shelf' })
    .getByRole('link', { name: 'Dramas' })
    .waitFor()
  assert.deepEqual(await barriersOn(page), [])
  await leave(page)
})

test('the rules of a playlist are chosen with the films that they find in sight, and find the same once saved', async () => {
  const mood = await admin().categories.create({ title: 'Mood', values: ['Calm', 'Wild', 'Sad'] })
  const era = await admin().categories.create({ title: 'Era', values: ['Old', 'New'] })
  const films = [
    ['Calm and old', ['Calm'], 'Old'],
    ['Calm, sad and new', ['Calm', 'Sad'], 'New'],
    ['Wild and old', ['Wild'], 'Old'],
  ] as const
  for (const [title, moods, age] of films) {
    const given = { category_id: mood._id, value: [...moods] }
    const categories_attributes = [given, { category_id: era._id, value: [age] }]
    await admin().videos.create({ title, categories_attributes })
  }
  const page = await dashboard.open('/playlists/new', phone)
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('By mood')
  assert.equal(await page.getByRole('region', { name: 'Rules', exact: true }).count(), 0)
  await page.getByRole('combobox', { name: 'Filled' }).selectOption('category')
  const preview = page.getByRole('region', { name: 'Matching videos now' })
  const finds = async (words: string, ...titles: string[]) => {
    await preview.getByText(words, { exact: true }).waitFor()
    await untilEqual(async () => (await preview.getByRole('listitem').allInnerTexts()).sort(), titles)
  }
  const add = async (title: string) => {
    await page.getByRole('combobox', { name: 'Add a category' }).click()
    await page.getByRole('option', { name: title, exact: true }).click()
  }
  const choose = async (title: string, input: string, value: string) => {
    await page.getByRole('group', { name: title, exact: true }).getByLabel(input).first().click()
    await page.getByRole('option', { name: value, exact: true }).click()
    await page.keyboard.press('Escape')
  }
  await finds('No videos match.')
  await add('Mood')
  await finds('3 videos match.', 'Calm and old', 'Calm, sad and new', 'Wild and old')
  await choose('Mood', 'Include', 'Calm')
  await finds('2 videos match.', 'Calm and old', 'Calm, sad and new')
  await choose('Mood', 'Exclude', 'Sad')
  await finds('1 video matches.', 'Calm and old')
  await add('Era')
  await choose('Era', 'Include', 'Old')
  await finds('2 videos match.', 'Calm and old', 'Wild and old')
  assert.deepEqual([await barriersOn(page), await overflowOf(page)], [[], 0])
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'By mood', level: 1 }).waitFor()
  const playlist = idIn(page)
  const inIt = async () =>
    (await admin().playlists.videos(playlist)).response.map(({ title }) => title).sort()
  assert.deepEqual(await inIt(), ['Calm and old', 'Wild and old'])

  await page.getByRole('combobox', { name: 'Videos must match' }).selectOption('all')
  await finds('1 video matches.', 'Calm and old')
  await page.getByRole('button', { name: 'Remove the rule for Mood' }).click()
  await choose('Era', 'Include', 'New')
  await finds('3 videos match.', 'Calm and old', 'Calm, sad and new', 'Wild and old')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
  assert.deepEqual(await inIt(), ['Calm and old', 'Calm, sad and new', 'Wild and old'])
  await leave(page)
})

test('a plan is made, refused in words where something is missing, changed and deleted', async () => {
  const page = await dashboard.open('/plans/new')
  await page.getByLabel(/^Name/).fill('Supporter')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('This field is required.').waitFor()
  const currency = page.getByRole('combobox', { name: 'Currency' })
  await currency.fill('Yen')
  await page.getByRole('option', { name: /^JPY/ }).click()
  await page.getByRole('textbox', { name: /^Price/ }).fill('4.99')
  await page.getByText('JPY has no decimals. Enter a whole amount, such as 500.').waitFor()
  await currency.fill('USD')
  await page.getByRole('option', { name: /^USD/ }).click()
  await page.getByText('Viewers see $4.99.').waitFor()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Supporter', level: 1 }).waitFor()
  const plan = idIn(page)
  assert.equal((await admin().plans.get(plan)).amount, '4.99')
  await page.getByRole('textbox', { name: /^Price/ }).fill('5.99')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
  assert.equal((await admin().plans.get(plan)).amount, '5.99')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Plans', level: 1 }).waitFor()
  await assert.rejects(admin().plans.get(plan), { status: 404 })
  await leave(page)
})

test('a kind of object is built field by field, and its objects have these fields', async () => {
  const page = await dashboard.open('/zobject-types/new')
  await page.getByLabel(/^Type name/).fill('actor')
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Born in')
  await page.getByText('In the API: born_in').waitFor()
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.getByLabel('Name', { exact: true }).last().fill('oscars')
  await page.getByLabel('Type of value').last().selectOption('integer')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'actor', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Objects', exact: true }).last().click()
  await page.getByRole('link', { name: 'New object' }).first().click()
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Ada')
  await page.getByLabel('Born in').fill('Lyon')
  await page.getByLabel('Oscars').fill('2')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor()
  const record = (await admin().zobjects.get(idIn(page), { query: { zobject_type: 'actor' } })) as Record<
    string,
    unknown
  >
  assert.deepEqual([record.title, record.born_in, record.oscars], ['Ada', 'Lyon', 2])
  assert.deepEqual(await barriersOn(page), [])
  await leave(page)
})

test('a consumer is found, with what belongs to them, and a viewer role can change nothing', async () => {
  const { _id } = await admin().consumers.create({ email: 'ada@example.com', name: 'Ada' })
  const video = await admin().videos.create({ title: 'Bought film' })
  await admin().video_entitlements.create(_id, { video_id: video._id })
  await admin().video_favorites.create(_id, { video_id: video._id })
  const blank = await dashboard.open('/consumers/new')
  await blank.getByText('The viewer signs in with it and can change it later.').waitFor()
  assert.equal(await blank.getByText('Leave empty to keep it.').count(), 0)
  const password = blank.locator('input[name=password]')
  await blank.locator('input[name=email]').fill('grace@example.com')
  await password.fill('short')
  await blank.getByRole('button', { name: 'Create' }).click()
  await untilSo('the focus on the wrong field', () =>
    password.evaluate((input) => input.matches(':focus[aria-invalid=true]')),
  )
  blank.on('dialog', (dialog) => void dialog.accept())
  await leave(blank)
  const page = await dashboard.open('/consumers?q=ada')
  await page.getByRole('link', { name: 'ada@example.com' }).click()
  await page.getByText('No subscriptions.').waitFor()
  await page.getByRole('button', { name: 'Give a subscription' }).press('Enter')
  await page.getByRole('dialog').getByRole('link', { name: 'Create one' }).waitFor()
  await page.keyboard.press('Escape')
  const plan = {
    name: 'Friends',
    amount: '0',
    currency: 'USD',
    interval: 'lifetime',
    interval_count: 1,
  } as const
  await admin().plans.create({ ...plan, entitlement_type: 'global' })
  await page.reload()
  await page.getByRole('button', { name: 'Give a subscription' }).press('Enter')
  // The only plan is chosen already.
  const choice = page.getByRole('dialog').getByRole('combobox', { name: 'Plan' })
  await untilSo('the only plan', async () => (await choice.inputValue()) === 'Friends')
  await page.getByRole('dialog').getByRole('button', { name: 'Give subscription' }).click()
  await page.getByRole('row', { name: /Friends.*Active.*No end date/ }).waitFor()
  assert.equal((await admin().subscriptions.list({ consumer_id: _id })).response[0]?.plan_name, 'Friends')
  await page.getByRole('tab', { name: 'Videos' }).click()
  await page.getByRole('link', { name: 'Bought film' }).waitFor()
  assert.deepEqual(await barriersOn(page), [])
  await page.getByRole('button', { name: 'Remove Bought film' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No videos were unlocked for this viewer individually.').waitFor()
  await page.getByRole('tab', { name: 'Favorites' }).click()
  await page.getByRole('link', { name: 'Bought film' }).waitFor()
  await page.getByRole('button', { name: 'Link a device' }).click()
  await page.getByLabel(/^PIN/).fill('WRONG1')
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  await page.getByText(/PIN/).last().waitFor()
  await page.context().close()

  const looking = await dashboard.open(`/consumers/${_id}`, { role: 'viewer' })
  await looking.getByRole('heading', { name: 'Ada', level: 1 }).waitFor()
  for (const name of ['Delete', 'Sign out everywhere', 'Link a device', 'Give a subscription'])
    assert.equal(await looking.getByRole('button', { name }).count(), 0)
  assert.equal(await looking.getByLabel(/^Full name/).isDisabled(), true)
  await looking.context().close()
})

const pages = [
  'categories',
  'plans',
  'passes',
  'ad-tags',
  'program-guides',
  'subscriptions',
  'transactions',
  'redemption-codes',
]

for (const [where, options] of Object.entries({
  'a desk in the light': {},
  'a phone in the dark': { ...phone, colorScheme: 'dark' as const },
}))
  test(`on ${where} every form of the library and the viewers is accessible`, async () => {
    const page = await dashboard.open('/categories', options)
    await page.getByRole('heading', { name: 'Categories', level: 1 }).waitFor()
    for (const name of pages) {
      await goTo(page, `/${name}/new`)
      assert.deepEqual([name, await barriersOn(page)], [name, []])
      assert.deepEqual([name, await overflowOf(page)], [name, 0])
    }
    await leave(page)
  })

test('canceling a subscription is undone from the notice about it', async () => {
  const { consumers, plans, subscriptions } = admin()
  const viewer = await consumers.create({ email: 'fickle@example.com' })
  const plan = await plans.create({
    ...{ name: 'Monthly', amount: '5', currency: 'USD', interval: 'month', interval_count: 1 },
    entitlement_type: 'global',
  })
  const { _id, status } = await subscriptions.create({ consumer_id: viewer._id, plan_id: plan._id })
  const page = await dashboard.open(`/subscriptions/${_id}`)
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Subscription canceled' })
  await notice.getByRole('button', { name: 'Undo' }).click()
  // In the notice, and in the activity of the subscription.
  await page.getByText('Undone', { exact: true }).first().waitFor()
  const now = await subscriptions.get(_id)
  assert.deepEqual([now.status, now.cancel_at_period_end], [status, false])
  await leave(page)
})

test('an external feed becomes a source, and its page says why it could not be read', async () => {
  const page = await dashboard.open('/video-sources')
  await page.getByRole('heading', { name: 'No sources yet' }).waitFor()
  await page.getByRole('link', { name: 'New source' }).first().click()
  await page.getByLabel(/^Feed URL/).fill('http://127.0.0.1:9090/feed.xml')
  await page.getByLabel(/^Name/).fill('Partner')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('The feed is being read for the first time.').waitFor()
  const source_id = idIn(page)
  const { site_id, type } = await admin().video_sources.get(source_id)
  assert.equal(type, 'mrss')
  await refreshSource.run({ site_id, source_id }, contextOf(dashboard.api))
  await page.getByText(/127\.0\.0\.1 is not on the public internet/).waitFor()
  await page.getByText('Nothing has been imported yet.').waitFor()
  const { _id } = await admin().video_imports.create({
    source_url: 'https://films.example/a.mp4',
    title: 'A film that waits',
    auto_add: false,
  })
  await dashboard.api.database.db`update video_imports set video_source_id = ${source_id} where _id = ${_id}`
  await page.reload()
  await page.getByRole('button', { name: 'Import A film that waits' }).click()
  await page.getByRole('link', { name: 'A film that waits' }).waitFor()
  assert.deepEqual(await barriersOn(page), [])
  await leave(page)
})

test('a playlist becomes a feed, whose keys have addresses to hand on, and end when they are removed', async () => {
  const { _id: playlist_id } = await admin().playlists.create({ title: 'For partners' })
  const { _id } = await admin().feeds.create({ playlist_id, title: 'Partners' })
  const page = await dashboard.open('/feeds')
  await page.getByRole('link', { name: 'Partners' }).click()
  await page.getByText('nobody can read this feed').waitFor()
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Who it is for').fill('Harbour TV')
  await page.getByRole('button', { name: 'Create key' }).click()
  const address = page.getByRole('region', { name: 'Harbour TV' }).getByRole('region', { name: 'MRSS' })
  await address.waitFor()
  assert.equal((await fetch(String(await address.textContent()))).status, 200)
  assert.deepEqual(await barriersOn(page), [])
  await page.getByRole('button', { name: 'Remove Harbour TV' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('nobody can read this feed').waitFor()
  assert.deepEqual((await admin().feed_keys.list(_id)).response, [])
  await leave(page)
})
