import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  clip,
  heard,
  notice,
  openPlayer,
  type PlayerPages,
  shoot,
  startPlayerPages,
  stopPlayerPages,
  until,
  wake,
} from './player-page.js'

let pages: PlayerPages
const open: (body: string, options?: Parameters<typeof openPlayer>[2]) => ReturnType<typeof openPlayer> = (
  body,
  options,
) => openPlayer(pages, body, options)

before(async () => {
  pages = await startPlayerPages()
})
after(() => stopPlayerPages(pages))

test('a video that is being prepared shows its progress, and can be played when it is ready', async () => {
  let status: Record<string, unknown> = { status: 'processing', progress: 12 }
  pages.server.answer('/status', (_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ response: status })),
  )
  const page = await open(
    `<zoetrope-player status-url="/status" poster="/clip/poster.jpg" title="A walk"></zoetrope-player>`,
  )
  await notice(page).getByText('12%').waitFor()
  assert.equal(await notice(page).getAttribute('role'), 'status')
  assert.equal(await notice(page).getByRole('progressbar').getAttribute('aria-valuenow'), '12')

  status = { status: 'processing', progress: 63 }
  await notice(page).getByText('63%').waitFor()
  await shoot(page, 'preparing-desktop')
  status = { status: 'ready', src: '/clip/master.m3u8', storyboard: '/clip/storyboard.vtt' }
  await until(page, 'video.readyState >= 3')

  assert.ok(await notice(page).isHidden())
  assert.deepEqual(await heard(page), ['ready'])
  await page.context().close()
})

test('a stream of events is followed as it comes', async () => {
  pages.server.answer('/events', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const steps = [{ progress: 40 }, { progress: 80 }, { status: 'ready', src: '/clip/master.m3u8' }]
    for (const [index, step] of steps.entries())
      setTimeout(
        () => response.write(`: beat\n\nevent: status\ndata: ${JSON.stringify(step)}\n\n`),
        index * 1500,
      )
  })
  const page = await open(`<zoetrope-player status-url="/events"></zoetrope-player>`)

  await notice(page).getByText('40%').waitFor()
  await notice(page).getByText('80%').waitFor()
  await until(page, 'video.readyState >= 3')

  assert.equal(pages.server.requests.filter((path) => path === '/events').length, 1)
  await page.context().close()
})

const refusals = [
  { code: 'not_allowed', status: 403, message: 'This video is for subscribers.' },
  { code: 'not_allowed', status: 401, message: undefined },
  { code: 'removed', status: 404, message: undefined },
  { code: 'removed', status: 410, message: 'The publisher took it down.' },
] as const
for (const { code, status, message } of refusals)
  test(`a playlist with status ${status} is reported as ${code}`, async () => {
    pages.server.answer('/refused.m3u8', (_request, response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message })),
    )
    const page = await open(
      `<zoetrope-player src="/refused.m3u8" poster="/clip/poster.jpg"></zoetrope-player>`,
    )
    await notice(page).waitFor()

    assert.deepEqual(await heard(page), [`error ${code}`])
    assert.equal(await notice(page).getAttribute('role'), 'alert')
    if (message) assert.ok(await notice(page).getByText(message).isVisible())
    if (status === 403) await shoot(page, 'not-allowed-desktop')
    if (status === 410) await shoot(page, 'removed-desktop')
    await page.context().close()
  })

test("the missing right is shown above the server's message", async () => {
  const cases = [
    [403, 'registration_required', 'Sign in to watch'],
    [403, 'subscription_required', 'This video is for subscribers'],
    [403, 'wrong_site', 'This video cannot be shown here'],
    [451, undefined, 'This video cannot be watched where you are'],
  ] as const
  for (const [status, code, title] of cases) {
    pages.server.answer('/gated.m3u8', (_request, response) =>
      response.writeHead(status).end(JSON.stringify({ code, message: 'Here is why.' })),
    )
    const page = await open(`<zoetrope-player src="/gated.m3u8" poster="/clip/poster.jpg"></zoetrope-player>`)
    await notice(page).getByText(title).waitFor()
    assert.ok(await notice(page).getByText('Here is why.').isVisible())
    if (code === 'subscription_required') await shoot(page, 'subscribers-desktop')
    await page.context().close()
  }
})

test('a file is played where the playlist cannot be', async () => {
  pages.server.answer('/broken.m3u8', (_request, response) => response.end('This is no playlist.'))
  const page = await open(
    `<zoetrope-player src="/broken.m3u8" file="/clip/film.mp4" autoplay muted></zoetrope-player>`,
  )
  await until(page, 'video.currentTime > 0.5')
  assert.ok(await notice(page).isHidden())
  assert.ok((await heard(page)).every((event) => !event.startsWith('error')))
  await page.context().close()

  const alone = await open(`<zoetrope-player file="/clip/film.mp4" autoplay muted></zoetrope-player>`)
  await until(alone, 'video.currentTime > 0.5')
  await alone.context().close()
})

test('controls=false shows no controls', async () => {
  const page = await open(clip('autoplay muted loop no-controls'))
  await until(page, 'video.currentTime > 0.5')
  await wake(page)
  assert.equal(await page.getByRole('button').count(), 0)
  await page.context().close()
})

test('a video whose preparation failed says why, and so does a page that knows it beforehand', async () => {
  const failed = { status: 'failed', status_reason: 'The file has no picture and no sound.' }
  pages.server.answer('/failed', (_request, response) => response.end(JSON.stringify(failed)))
  const page = await open(`<zoetrope-player status-url="/failed"></zoetrope-player>`)
  await notice(page).getByText('The file has no picture and no sound.').waitFor()
  assert.deepEqual(await heard(page), ['error failed'])
  await page.context().close()

  const known = await open(`<zoetrope-player problem="removed" message="It ended in May."></zoetrope-player>`)
  await notice(known).getByText('It ended in May.').waitFor()
  await known.context().close()
})

test('an expired URL is replaced by the one of the status, at the same position', async () => {
  pages.server.answer('/fresh', (_request, response) =>
    response.end(JSON.stringify({ status: 'ready', src: '/clip/master.m3u8' })),
  )
  pages.server.answer('/expired.m3u8', (_request, response) => response.writeHead(403).end())
  const page = await open(
    `<zoetrope-player src="/expired.m3u8" status-url="/fresh" start="12"></zoetrope-player>`,
  )

  await until(page, 'video.readyState >= 2 && Math.abs(video.currentTime - 12) < 0.5')

  assert.deepEqual(await heard(page), ['ready'])
  await page.context().close()
})

test('network errors are retried, and the viewer can retry at once', async () => {
  let isDown = true
  pages.server.answer('/shaky.m3u8', (_request, response) =>
    isDown ? response.writeHead(503).end() : response.writeHead(302, { location: '/clip/master.m3u8' }).end(),
  )
  const page = await open(`<zoetrope-player src="/shaky.m3u8" poster="/clip/poster.jpg"></zoetrope-player>`)
  await notice(page).getByText('Connection trouble').waitFor()
  await shoot(page, 'network-desktop')

  isDown = false
  await notice(page).getByRole('button', { name: 'Try again' }).click()
  await until(page, 'video.readyState >= 3')

  assert.deepEqual(await heard(page), ['error network', 'ready'])
  assert.ok(await notice(page).isHidden())
  await page.context().close()
})

test('the player reconnects to a server that was unavailable', async () => {
  let isDown = true
  pages.server.answer('/away.m3u8', (_request, response) =>
    isDown ? response.writeHead(503).end() : response.writeHead(302, { location: '/clip/master.m3u8' }).end(),
  )
  const page = await open(`<zoetrope-player src="/away.m3u8" autoplay muted></zoetrope-player>`)
  await notice(page).getByText('Connection trouble').waitFor()

  isDown = false
  await until(page, 'video.currentTime > 0.5')

  assert.ok(await notice(page).isHidden())
  await page.context().close()
})

test('failed segments are fetched again automatically', async () => {
  const page = await open(clip('autoplay muted'))
  await until(page, 'video.currentTime > 0.5')
  await page.context().setOffline(true)
  await page.evaluate(`document.querySelector('zoetrope-player').currentTime = 31`)
  await page.waitForTimeout(1500)
  await page.context().setOffline(false)

  await until(page, 'video.currentTime > 31 && video.readyState >= 2')

  assert.ok(await notice(page).isHidden())
  await page.context().close()
})
