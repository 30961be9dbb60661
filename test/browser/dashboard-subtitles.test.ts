import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeClip } from '../support/clip.js'
import { barriersOn, overflowOf, phone } from '../support/dashboard.js'
import { leave, looks, withDashboard } from '../support/dashboard-tests.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { until, untilEqual } from '../support/patience.js'

let videoId: string
const dashboard = withDashboard(async ({ api }) => {
  const worker = openWorker(api)
  const clip = await makeClip({ seconds: 6, size: '320x180', rate: '10', audio: 'none' })
  videoId = (await uploadClip(api, clip, 'The Horse in Motion'))._id
  await untilPrepared(api, videoId)
  return worker.stop
})

const subtitles = () => dashboard.api.as('admin').subtitles
const base64 = (text: string) => Buffer.from(text).toString('base64')
const textOf = (id: string) => subtitles().download(videoId, id)

async function openTab(options = {}): Promise<Page> {
  const page = await dashboard.open(`/videos/${videoId}?tab=subtitles`, options)
  await page.getByRole('heading', { level: 1, name: 'The Horse in Motion' }).waitFor()
  return page
}

async function openEditor(text: string, options = {}): Promise<{ page: Page; id: string }> {
  for (const { _id } of (await subtitles().list(videoId, { active: 'all' })).response)
    await subtitles().remove(videoId, _id)
  const { _id } = await subtitles().create(videoId, { language: 'en', file: base64(text) })
  const page = await dashboard.open(`/videos/${videoId}/subtitles/${_id}`, options)
  await page.getByRole('heading', { level: 1, name: 'English' }).waitFor()
  return { page, id: _id }
}

/** Seeks the player to a position. */
async function seek(page: Page, seconds: number): Promise<void> {
  const player = page.frameLocator('iframe').first().locator('zoetrope-player')
  await player.evaluate(async (element, at) => {
    const holder = element as unknown as { video?: HTMLVideoElement }
    const soon = () => new Promise((resolve) => setTimeout(resolve, 30))
    while (!holder.video || holder.video.readyState < 1) await soon()
    holder.video.currentTime = at
  }, seconds)
}

const positionOf = (page: Page): Promise<number> =>
  page
    .frameLocator('iframe')
    .first()
    .locator('zoetrope-player')
    .evaluate((element) => (element as unknown as { video?: HTMLVideoElement }).video?.currentTime ?? -1)

const lineOf = (page: Page, number: number | string) =>
  page.getByRole('group', { name: `Line ${number}`, exact: true })
const textField = (page: Page, number: number) =>
  page.getByRole('textbox', { name: `Text of line ${number}`, exact: true })

const file = (name: string, text: string) => ({ name, mimeType: '', buffer: Buffer.from(text) })

test('several files are added at once, and one that cannot be read does not stop the others', async () => {
  const page = await openTab()
  await page.getByRole('heading', { name: 'No subtitles yet' }).waitFor()
  await page
    .locator('input[type=file]')
    .setInputFiles([
      file('film.en.srt', '1\n00:00:01,000 --> 00:00:02,000\nOff they go.\n'),
      file('film.de.forced.srt', 'Just a note.'),
    ])
  // Sound is refused where it is dropped.
  const sound = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    data.items.add(new File(['x'], 'voice.mp3', { type: 'audio/mpeg' }))
    return data
  })
  await page.getByText('Drop subtitle files here').dispatchEvent('drop', { dataTransfer: sound })
  await page.getByText('Choose .srt or .vtt files. Left out: voice.mp3.').waitFor()
  assert.equal(await page.getByRole('listitem', { name: 'voice.mp3' }).count(), 0)
  // One more by drag and drop, whose language only its text tells.
  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    const words =
      'Vous n’avez pas dit que je vous parle dans une heure. Il est avec les autres, et ce qui est dit est dit.'
    data.items.add(new File([`WEBVTT\n\n00:01.000 --> 00:04.000\n${words}\n`], 'horses.vtt'))
    return data
  })
  await page.getByText('Drop subtitle files here').dispatchEvent('drop', { dataTransfer: dropped })
  const language = (name: string) => page.getByRole('combobox', { name: `Language of ${name}` })
  await untilEqual(() => language('film.en.srt').inputValue(), 'English')
  await until('German', async () => /German/.test(await language('film.de.forced.srt').inputValue()))
  await until('the language of the text', async () =>
    /French/.test(await language('horses.vtt').inputValue()),
  )
  assert.ok(await page.getByRole('switch', { name: 'Forced of film.de.forced.srt' }).isChecked())
  assert.deepEqual(await barriersOn(page), [])

  // The picker is used with the keyboard only. Choosing the same language again keeps it.
  await language('film.en.srt').fill('english')
  await page
    .getByRole('option', { name: /^English/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await until(
    'the language that was chosen again',
    async () => (await language('film.en.srt').inputValue()) === 'English',
  )
  await language('horses.vtt').focus()
  await language('horses.vtt').fill('francais')
  await page
    .getByRole('option', { name: /Canada/ })
    .or(page.getByRole('option', { name: /Canadian/ }))
    .first()
    .waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Label of horses.vtt' }).fill('Français du Québec')
  await page.getByRole('switch', { name: 'On by default of horses.vtt' }).check()
  await page.getByRole('button', { name: 'Add 3 subtitles' }).click()
  await page.getByText('2 subtitles added').waitFor()
  await page
    .getByRole('alert')
    .filter({ hasText: /film\.de\.forced\.srt: There are no subtitles in the file/ })
    .waitFor()
  const made = (await subtitles().list(videoId)).response.map((each) => [
    each.language,
    each.title,
    each.default,
  ])
  assert.deepEqual(made.sort(), [
    ['en', 'English', false],
    ['fr-CA', 'Français du Québec', true],
  ])
  await page.getByRole('button', { name: 'Remove film.de.forced.srt' }).click()

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download English' }).press('Enter')
  await page.getByRole('menuitem', { name: 'SRT (SubRip)' }).press('Enter')
  const download = await saved
  assert.match(download.suggestedFilename(), /^the-horse-in-motion.*\.en\.srt$/)

  await page.getByRole('button', { name: 'Actions for English' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('region', { name: 'English' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('region', { name: 'English' }).waitFor()
  await leave(page)
})

const two = `WEBVTT

intro
00:00:01.000 --> 00:00:03.000 line:0
<i>Off they go</i> & run.

00:00:03.000 --> 00:00:05.000
All hooves up
`

test('lines are edited with the keyboard alone: split, joined, moved, undone and saved', async () => {
  const { page, id } = await openEditor(two)
  await textField(page, 1).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Home')
  for (let count = 0; count < 3; count += 1) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Control+Enter')
  await textField(page, 3).and(page.locator(':focus')).waitFor()
  assert.deepEqual(
    [await textField(page, 2).inputValue(), await textField(page, 3).inputValue()],
    ['All', 'hooves up'],
  )
  await page.keyboard.press('Alt+Shift+ArrowDown')
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await textField(page, 4).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('The end')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('of it')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await textField(page, 3).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Control+j')
  await untilEqual(() => textField(page, 2).inputValue(), 'All\nhooves up')
  await page.keyboard.press('Control+z')
  await untilEqual(() => textField(page, 2).inputValue(), 'All')
  await page.keyboard.press('Control+Shift+z')
  await untilEqual(() => textField(page, 2).inputValue(), 'All\nhooves up')

  await page.keyboard.press('Control+s')
  await page.getByText('Subtitles saved').waitFor()
  assert.equal(
    await textOf(id),
    `WEBVTT

intro
00:00:01.000 --> 00:00:03.000 line:0
<i>Off they go</i> &amp; run.

00:00:03.000 --> 00:00:05.900
All
hooves up

00:00:05.900 --> 00:00:07.900
The end
of it
`,
  )
  await page.keyboard.press('Control+/')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  assert.deepEqual(await barriersOn(page), [])
  await page.keyboard.press('Escape')
  await leave(page)
})

test('the film is beside the lines: times seek, the playhead sets times, and its line is marked', async () => {
  const { page, id } = await openEditor(two)
  await seek(page, 3.5)
  await page.getByTestId('cue').getByText('All hooves up').waitFor()
  await page.locator('[aria-current=true]').and(lineOf(page, 2)).waitFor()
  await page.getByRole('textbox', { name: 'Start of line 1' }).click()
  await until('the film at the clicked time', async () => Math.abs((await positionOf(page)) - 1) < 0.05)
  await page.getByTestId('cue').getByText('Off they go & run.').waitFor()
  await seek(page, 2)
  await page.locator('[aria-current=true]').and(lineOf(page, 1)).waitFor()
  await page.keyboard.press('Control+BracketRight')
  await page.getByRole('textbox', { name: 'End of line 1' }).and(page.locator('[value="0:02.000"]')).waitFor()
  const end = page.getByRole('textbox', { name: 'End of line 2' })
  await end.fill('0:02.5')
  await end.press('Enter')
  await lineOf(page, 2).getByText('Ends before it starts').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByRole('alert').filter({ hasText: 'Line 2 ends before it starts.' }).waitFor()
  await textField(page, 2).and(page.locator(':focus')).waitFor()
  assert.deepEqual(await barriersOn(page), [])
  await end.fill('5.5')
  await page.getByRole('textbox', { name: 'Start of line 2' }).fill('1.9')
  await page.keyboard.press('Tab')
  await lineOf(page, 2).getByText('Overlaps the line before').waitFor()

  // Unsaved changes are not lost by a click on a link.
  await page.getByRole('link', { name: 'All subtitles' }).click()
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Subtitles saved').waitFor()
  assert.match(
    await textOf(id),
    /00:00:01\.000 --> 00:00:02\.000 line:0[\s\S]*00:00:01\.900 --> 00:00:05\.500\n/,
  )
  await page.getByRole('link', { name: 'All subtitles' }).click()
  await page.getByRole('tab', { name: 'Subtitles', selected: true }).waitFor()
  await leave(page)
})

const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const time = (second: number) => new Date(second * 1000).toISOString().slice(11, 23)
    return `${time(at * 2)} --> ${time(at * 2 + 1.5)}\nThe line of number ${at + 1}\n`
  }).join('\n')

test('thousands of lines are searched, replaced and shifted, and only those on the screen are drawn', async () => {
  const { page, id } = await openEditor(`WEBVTT\n\n${numbered(3000)}`)
  await textField(page, 1).waitFor()
  assert.ok((await page.getByRole('group', { name: /^Line \d/ }).count()) < 300)
  await page.keyboard.press('Control+f')
  await page
    .getByRole('textbox', { name: 'Find', exact: true })
    .and(page.locator(':focus'))
    .fill('NUMBER 299')
  await page.getByText('1 of 11').waitFor()
  await lineOf(page, 299).waitFor()
  await page.keyboard.press('Shift+Enter')
  await page.getByText('11 of 11').waitFor()
  assert.ok(
    await lineOf(page, '2,999').evaluate((row) => row.getBoundingClientRect().top < window.innerHeight),
  )
  await page.getByRole('textbox', { name: 'Replace with' }).fill('Number $1')
  await page.keyboard.press('Enter')
  await page.getByText('1 of 10').waitFor()
  await page.getByRole('checkbox', { name: 'Match case' }).check()
  await page.getByText('No matches').waitFor()
  await page.getByRole('textbox', { name: 'Find', exact: true }).fill('The line')
  await page.getByText('1 of 3,000').waitFor()
  await page.getByRole('button', { name: 'Replace all' }).press('Enter')
  await page.getByText('Replaced 3,000 matches').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText('1 of 3,000').waitFor()
  await page.getByRole('textbox', { name: 'Find', exact: true }).press('Escape')

  await page.getByRole('checkbox', { name: 'Select line 1', exact: true }).press('Space')
  await page.getByRole('button', { name: 'Shift times' }).press('Enter')
  await page.getByRole('textbox', { name: 'Seconds' }).fill('0.25')
  await page.getByRole('button', { name: 'Later' }).press('Enter')
  await page.getByText('Shifted 1 line').waitFor()
  await page.getByRole('combobox', { name: 'Lines' }).selectOption('All lines')
  await page.getByRole('button', { name: 'Later' }).press('Enter')
  await page.getByText('Shifted 3,000 lines').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Subtitles saved').waitFor()
  const text = await textOf(id)
  assert.equal(text.split(' --> ').length - 1, 3000)
  assert.match(text, /^WEBVTT\n\n00:00:00\.500 --> 00:00:02\.000\nThe line of number 1\n\n00:00:02\.250 -->/)
  assert.match(text, /The line of Number \$19\n/)
  await leave(page)
})

test('new subtitles begin with a language, and exist after the first save', async () => {
  const page = await openTab()
  await page.getByRole('button', { name: 'Write new subtitles' }).press('Enter')
  const picker = page.getByRole('combobox', { name: 'Which language will you write?' })
  await picker.fill('日本')
  await page.getByRole('option', { name: /日本語/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Start writing' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'New subtitles: Japanese' }).waitFor()
  await textField(page, 1).fill('馬が走る')
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { level: 1, name: 'Japanese', exact: true }).waitFor()
  const made = (await subtitles().list(videoId)).response.find(({ language }) => language === 'ja')
  await page.waitForURL(new RegExp(`/subtitles/${made?._id}$`))
  assert.match(await textOf(made?._id ?? ''), /馬が走る/)
  await leave(page)
})

test('on a phone the player that follows the page does not cover the tabs', async () => {
  const page = await openTab(phone)
  await page.getByText('Drop subtitle files here').waitFor()
  await page.getByRole('tabpanel').evaluate((panel) => {
    panel.style.minHeight = '200vh'
  })
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  const [player, tabs] = [
    await page.locator('iframe').first().boundingBox(),
    await page.getByRole('tablist', { name: 'Video settings' }).boundingBox(),
  ]
  assert.ok(player && player.y > 0 && player.y < 100, 'the player follows')
  assert.ok(tabs && tabs.y >= player.y + player.height - 1 && tabs.y < 500, `the tabs are at ${tabs?.y}`)
  assert.equal(await overflowOf(page), 0)
  await leave(page)
})

for (const [where, options] of Object.entries(looks))
  test(`on ${where} the editor can be used by everybody, and guests change nothing`, async () => {
    const { page } = await openEditor(
      `${two}\n00:00:04.500 --> 00:00:05.000\n${'Much too long '.repeat(5)}\n`,
      options,
    )
    await textField(page, 3).focus()
    await page.getByRole('button', { name: 'Find and replace' }).click()
    await page.getByText('1 overlap · 1 line too fast to read').waitFor()
    assert.deepEqual(await barriersOn(page), [])
    assert.equal(await overflowOf(page), 0)
    const address = page.url().replace(dashboard.api.url, '').replace('/dashboard', '')
    await leave(page)

    const looking = await dashboard.open(address, { ...options, role: 'viewer' })
    await textField(looking, 1).waitFor()
    assert.equal(await textField(looking, 1).isEditable(), false)
    assert.equal(await looking.getByRole('button', { name: /^(Save|Undo|Add|Delete|Shift)/ }).count(), 0)
    assert.deepEqual(await barriersOn(looking), [])
    await leave(looking)
  })
