import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { makeClip } from '../support/clip.js'
import { barriersOn, goTo, overflowOf, phone } from '../support/dashboard.js'
import { leave, looks, withDashboard } from '../support/dashboard-tests.js'
import { openWorker } from '../support/media.js'
import { until } from '../support/patience.js'

let clip: string
let folder: string
/** The film that the first test uploads. */
let videoId: string
const dashboard = withDashboard(async ({ api }) => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-upload-'))
  clip = await makeClip({ seconds: 5, size: '640x360', rate: '10' })
  const worker = openWorker(api)
  return async () => {
    await worker.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

const choose = (page: Page, path: string) => page.locator('input[type=file]').first().setInputFiles(path)
const typed = { name: 'by-keyboard.mp4', mimeType: 'video/mp4' }
const videosOf = async () => (await dashboard.api.as('admin').videos.list({ active: 'all' })).response

/** Waits until the film on the page is playing. */
async function plays(page: Page): Promise<void> {
  const frame = page.frameLocator('iframe')
  await frame.locator('zoetrope-player').waitFor({ state: 'attached' })
  await frame.locator('zoetrope-player').evaluate(async (element) => {
    const player = element as unknown as { video?: HTMLVideoElement }
    const soon = () => new Promise((resolve) => setTimeout(resolve, 50))
    while (!player.video) await soon()
    const { video } = player
    video.muted = true
    await video.play()
    while (video.currentTime < 0.5) await soon()
  })
}

test('from an empty channel to a film that plays', async () => {
  const page = await dashboard.open('/')
  await page.getByRole('heading', { name: 'Get started' }).waitFor()
  assert.deepEqual(await barriersOn(page), [])
  await page.getByRole('link', { name: 'Upload your first video' }).click()
  await page.getByText('Drop files or folders here').waitFor()
  const film = { name: 'harbour.mp4', mimeType: 'video/mp4', buffer: await readFile(clip) }
  const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('No film.') }
  await page.locator('input[type=file]').first().setInputFiles([film, notes])
  await page.getByRole('alert').getByText('Not added: notes.txt.').waitFor()
  await page.getByText('All uploaded').waitFor()
  await page.getByText('1 of 1 ready').waitFor()
  await page.getByRole('link', { name: /^Open: / }).click()
  await plays(page)
  videoId = page.url().match(/videos\/(\w{24})/)?.[1] ?? ''
  await page
    .getByRole('region', { name: 'Formats' })
    .getByText(/^\d+ formats? ready/)
    .waitFor()
  await leave(page)
})

/** Presses the tab key until the control has the focus. */
async function tabTo(page: Page, role: 'button' | 'link' | 'switch', name: RegExp): Promise<void> {
  const wanted = page.getByRole(role, { name }).first()
  await wanted.waitFor()
  for (let presses = 0; presses < 80; presses += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`${role} ${name} cannot be reached by the tab key`)
}

test('a film is uploaded and published without a mouse', async () => {
  const page = await dashboard.open('/')
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await tabTo(page, 'link', /^Upload$/)
  await page.keyboard.press('Enter')
  await page.getByText('Drop files or folders here').waitFor()
  await tabTo(page, 'switch', /Publish videos as soon/)
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await tabTo(page, 'button', /^Choose files$/)
  await page.keyboard.press('Enter')
  await (await choosing).setFiles({ ...typed, buffer: await readFile(clip) })
  await page.getByText('All uploaded').waitFor()
  await tabTo(page, 'link', /^Open: by-keyboard/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'by-keyboard', level: 1 }).waitFor()
  const published = async () => (await videosOf()).find(({ title }) => title === 'by-keyboard')?.active
  assert.equal(await published(), false)
  await tabTo(page, 'button', /^Publish$/)
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Unpublish' }).waitFor()
  await saved
  assert.equal(await published(), true)
  await leave(page)
})

test('an upload survives a cut line and a reload, and goes on where it was', async () => {
  const film = join(folder, 'long-film.mp4')
  await writeFile(film, randomBytes(9_000_000))
  const page = await dashboard.open('/upload')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByText('Drop files or folders here').waitFor()
  // The first chunk arrives. The second request is cut off, and its retry hangs.
  const pieces: string[] = []
  let isReloaded = false
  let isHanging: (() => void) | undefined
  const hanging = new Promise<void>((resolve) => {
    isHanging = resolve
  })
  await page.route('**/uploads/tus/*', async (route) => {
    if (route.request().method() !== 'PATCH' || isReloaded) return route.continue()
    pieces.push(route.request().headers()['upload-offset'] ?? '')
    if (pieces.length === 1) return route.continue()
    if (pieces.length === 2) return route.abort('connectionreset')
    return isHanging?.()
  })
  await page.evaluate(`globalThis.shares = []; new MutationObserver(() => {
    const bar = document.querySelector('section [role=progressbar]')
    if (bar) shares.push(Number(bar.getAttribute('aria-valuenow')))
  }).observe(document.body, { subtree: true, childList: true, attributes: true })`)
  await choose(page, film)
  await hanging
  await page.getByText('Waiting for the server…').waitFor()
  const shares = await page.evaluate<number[]>('shares')
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
    'progress never falls',
  )
  const first = 8 * 1024 * 1024
  assert.deepEqual(pieces, ['0', String(first), String(first)])

  isReloaded = true
  await page.reload()
  await page.getByRole('heading', { name: 'Interrupted uploads' }).waitFor()
  await page.getByText('long-film.mp4').waitFor()
  await goTo(page, '/')
  await page.getByRole('button', { name: 'Resume long-film.mp4' }).waitFor()
  await choose(page, clip)
  await page.getByRole('alert').filter({ hasText: 'Choose long-film.mp4 (9 MB) to resume.' }).waitFor()
  const resumed = page.waitForRequest((request) => request.method() === 'PATCH')
  await choose(page, film)
  assert.equal((await resumed).headers()['upload-offset'], String(first))
  await goTo(page, '/upload')
  await page.getByText('All uploaded').waitFor()
  assert.equal((await videosOf()).filter(({ title }) => title === 'long-film').length, 1)
  // The file is not a film. The row shows this once processing has failed.
  const row = page.getByRole('listitem').filter({ hasText: 'long-film.mp4' })
  await row.getByText('Failed · 9 MB').waitFor()
  const wayOut = 'Open the video to try again, or replace the file.'
  await row.getByRole('alert').filter({ hasText: wayOut }).waitFor()
  await page.getByText('All uploaded · 1 failed').waitFor()
  await goTo(page, '/')
  await page.getByRole('link', { name: /long-film.*Failed\s*: / }).waitFor()
  await goTo(page, '/upload')
  // The row leads to the page that replaces the film, and follows the new film until it is live.
  await row.getByRole('link', { name: 'Replace file: long-film.mp4' }).click()
  await page.getByRole('heading', { name: 'Replace the video file', level: 1 }).waitFor()
  await choose(page, clip)
  await page.getByText(/^Ready · Published · /).waitFor()
  await row.getByText('Replaced · 9 MB').waitFor()
  await page.context().close()
})

test('a file whose upload had not begun is remembered by name until it is discarded or sent', async () => {
  const page = await dashboard.open('/upload')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByText('Drop files or folders here').waitFor()
  await page.route('**/uploads/tus', () => {})
  const film = join(folder, 'not-begun.mp4')
  await writeFile(film, await readFile(clip))
  await Promise.all([page.waitForRequest('**/uploads/tus'), choose(page, film)])
  const { _id } = (await videosOf()).find(({ title }) => title === 'not-begun') ?? {}
  await page.goto(`${new URL(page.url()).origin}/dashboard/videos/${_id}`)
  await page.unroute('**/uploads/tus')
  const resume = page.getByRole('button', { name: 'Resume not-begun.mp4' })
  await resume.waitFor()
  await page.getByText(/not started$/).waitFor()
  await page.getByLabel('Interrupted uploads').locator('input[type=file]').setInputFiles(film)
  await resume.waitFor({ state: 'detached' })
  await until(
    'The film',
    async () => (await dashboard.api.as('admin').videos.get(_id ?? '')).playable_at !== null,
  )
  assert.equal((await videosOf()).filter(({ title }) => title === 'not-begun').length, 1)
  assert.equal(
    await page.evaluate("Object.keys(localStorage).filter((key) => key.includes('waiting')).length"),
    0,
  )
  await page.context().close()
})

test('what is typed is checked as it is typed, kept from being lost, and saved', async () => {
  const page = await dashboard.open(`/videos/${videoId}`, { hasPlayer: false })
  const title = page.locator('input[name=title]')
  await title.fill('')
  await page.getByText('This field is required.').waitFor()
  await title.fill('The harbour, described')
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('dialog', { name: 'Unsaved changes' }).waitFor()
  await page.getByRole('button', { name: 'Stay' }).last().click()
  await page.getByRole('button', { name: 'Use “the-harbour-described”' }).click()
  await page.keyboard.press('Control+s')
  await page.getByText(/^Saved/).waitFor()
  await page.getByRole('heading', { name: 'The harbour, described', level: 1 }).waitFor()
  const { title: saved, friendly_title } = await dashboard.api.as('admin').videos.get(videoId)
  assert.deepEqual([saved, friendly_title], ['The harbour, described', 'the-harbour-described'])
  await page.locator('textarea[name=description]').fill('Typed after the first save.')
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('dialog', { name: 'Unsaved changes' }).waitFor()
  await leave(page)
})

test('a poster is taken from a moment, and the embed code and the record can be copied', async () => {
  const page = await dashboard.open(`/videos/${videoId}?tab=poster`)
  await page.getByLabel('Time', { exact: true }).fill('2')
  await page.getByRole('button', { name: 'Use the frame at this time' }).click()
  await page.getByText('Poster changed').waitFor()
  await page.getByRole('tab', { name: 'Share and embed' }).click()
  await page.getByRole('region', { name: 'Iframe' }).getByText('<iframe').waitFor()
  await page.getByRole('tab', { name: 'API' }).click()
  await page.getByRole('region', { name: 'JSON' }).getByText(`"_id": "${videoId}"`).waitFor()
  // Pages served over plain http from another machine have no clipboard API.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.getByRole('button', { name: 'Copy: JSON' }).click()
  await page.getByRole('button', { name: 'Copied: JSON' }).waitFor()
  await page.evaluate(() => {
    document.execCommand = () => false
  })
  await page.getByRole('button', { name: /: JSON$/ }).click()
  await page.getByText('Could not copy').waitFor()
  assert.match(await page.evaluate(() => String(window.getSelection())), new RegExp(`"_id": "${videoId}"`))
  await leave(page)
})

test('switching a format off asks for confirmation, even while its costs are unknown', async () => {
  const page = await dashboard.open('/account')
  await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor()
  await page.route('**/settings/formats/costs*', () => undefined)
  await page.goto(`${dashboard.api.url}/dashboard/settings/formats`)
  await page.getByRole('switch', { name: 'HLS 240p' }).press('Space')
  await page.getByRole('dialog', { name: 'Turn off HLS 240p?' }).waitFor()
  const cancel = page.getByRole('button', { name: 'Cancel' })
  await cancel.and(page.locator(':focus')).press('Enter')
  await cancel.waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('switch', { name: 'HLS 240p' }).isChecked(), true)
  await leave(page)
})

test('a format that is switched off leaves the playlist, and comes back', async () => {
  const page = await dashboard.open('/settings/formats')
  const manifest = async () =>
    (
      await fetch(
        `${dashboard.api.url}/manifest/${videoId}.m3u8?api_key=${dashboard.api.channel.keys.player}`,
      )
    ).text()
  assert.match(await manifest(), /426x240/)
  // The server is unreachable for a while, and the page recovers automatically.
  await page.getByRole('heading', { name: 'Storage used' }).waitFor()
  const isApi = ({ pathname }: URL) => pathname.startsWith('/settings/formats')
  await page.route(isApi, (route) => route.abort())
  await page.reload()
  await page.getByText('No connection').first().waitFor()
  await page.unroute(isApi)
  await page
    .getByRole('region', { name: 'Storage used' })
    .getByText(/^Originals and images: /)
    .waitFor()
  await page
    .getByRole('row', { name: /HLS 240p/ })
    .getByText(/ per hour$/)
    .last()
    .waitFor()
  await page.getByRole('switch', { name: 'HLS 240p' }).press('Space')
  const dialog = page.getByRole('dialog', { name: 'Turn off HLS 240p?' })
  await dialog.getByText(/This frees .* after a day/).waitFor()
  assert.match(await manifest(), /426x240/)
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('HLS 240p is off').waitFor()
  assert.doesNotMatch(await manifest(), /426x240/)
  await page
    .getByRole('row', { name: /HLS 240p/ })
    .getByText('Free to turn on again for now')
    .last()
    .waitFor()
  await page.getByRole('switch', { name: 'HLS 240p' }).press('Space')
  await page.getByText('HLS 240p is on').waitFor()
  assert.match(await manifest(), /426x240/)
  await page.context().close()
})

/** A small film that no other video has: players skip the last atom. */
async function ownFilm(): Promise<Buffer> {
  const film = await readFile(await makeClip({ seconds: 1, size: '160x90', rate: '10', audio: 'none' }))
  return Buffer.concat([film, Buffer.from([0, 0, 0, 16]), Buffer.from('free'), randomBytes(8)])
}

for (const [where, options] of Object.entries(looks))
  test(`on ${where} a file that another video has is noticed, and goes to the trash or is kept`, async () => {
    const buffer = await ownFilm()
    const page = await dashboard.open('/upload', { ...options, hasPlayer: false })
    const send = (name: string) =>
      page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: `${name}.mp4`, mimeType: 'video/mp4', buffer })
    const rowOf = (name: string) => page.getByRole('listitem').filter({ hasText: `${name}.mp4` })
    const noticeIn = (place: Page | Locator) =>
      place.getByRole('status').filter({ hasText: 'The same file is already in' })
    const [first, second] = [`Tide on ${where}`, `Ebb on ${where}`]
    await page.getByText('Drop files or folders here').waitFor()
    await send(first)
    await rowOf(first)
      .getByText(/^Ready · /)
      .waitFor()
    assert.equal(await noticeIn(page).count(), 0)
    const { videos } = dashboard.api.as('admin')
    const [original] = (await videos.list({ q: first, active: 'all' })).response
    await videos.update(original?._id ?? '', { subscription_required: true })
    await send(second)
    const notice = noticeIn(rowOf(second))
    await notice.getByRole('link', { name: first }).waitFor()
    assert.deepEqual(await barriersOn(page), [])
    assert.equal(await overflowOf(page), 0)

    await notice.getByRole('button', { name: 'Move this one to the trash' }).click()
    await page.getByText('Moved to the trash').waitFor()
    await notice.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    await rowOf(second)
      .getByRole('link', { name: /^Open: / })
      .click()
    await page.getByRole('heading', { name: second, level: 1 }).waitFor()
    await noticeIn(page).getByRole('link', { name: first }).waitFor()
    assert.deepEqual(await barriersOn(page), [])
    assert.equal(await overflowOf(page), 0)
    await noticeIn(page).getByText(`“${first}” is not for everyone, but this copy is.`).waitFor()
    await noticeIn(page).getByRole('button', { name: 'Give this copy the same access' }).click()
    await page.getByRole('alert').filter({ hasText: 'This copy has the same access now' }).waitFor()
    const [copy] = (await videos.list({ q: second, active: 'all' })).response
    assert.equal(copy?.subscription_required, true)
    await noticeIn(page).getByRole('button', { name: 'Keep both' }).click()
    await noticeIn(page).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: second, level: 1 }).waitFor()
    assert.equal(await noticeIn(page).count(), 0)
    await leave(page)
  })

for (const [where, options] of Object.entries(looks))
  test(`on ${where} home, upload and formats with a film can be used by everybody`, async () => {
    const page = await dashboard.open('/', options)
    await page.getByRole('heading', { name: 'Latest videos' }).waitFor()
    const pages = [
      ['/', 'Latest videos'],
      ['/upload', 'Import from a URL'],
      ['/settings/formats', 'Formats'],
    ] as const
    for (const [path, heading] of pages) {
      await goTo(page, path)
      await page.getByRole('heading', { name: heading }).first().waitFor()
      assert.deepEqual(await barriersOn(page), [], path)
      assert.equal(await overflowOf(page), 0, path)
    }
    await leave(page)
  })

// The last test: stopping the worker ends the formats of the sample that nobody waits for.
test('on a phone, one touch of an empty channel makes a sample that says how far it is, and plays', async () => {
  const page = await dashboard.open('/', { ...phone, also: [dashboard.api.other] })
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.getByRole('button', { name: /^Channel: / }).tap()
  await page.getByRole('menuitem', { name: /Other/ }).tap()
  await page.getByRole('heading', { name: 'Get started' }).waitFor()
  await page.getByRole('button', { name: 'Try a sample video' }).tap()
  await page.getByRole('status').getByText('Making the film…').waitFor()
  await page.getByRole('heading', { name: 'Sample film', level: 1 }).waitFor()
  await plays(page)
  await page.getByRole('tab', { name: 'Chapters' }).tap()
  await page.getByRole('slider', { name: 'Start of Depth' }).waitFor()
  await page.getByRole('button', { name: 'Open navigation' }).tap()
  await page.getByRole('navigation').getByRole('link', { name: 'Videos', exact: true }).tap()
  await page.getByRole('heading', { name: 'Videos', level: 1 }).waitFor()
  assert.equal(await overflowOf(page), 0)
  await leave(page)
})
