import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startOwnApi, type TestApi } from '../support/api.js'
import { autoplay, openBrowser } from '../support/browser.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { until } from '../support/patience.js'

let api: TestApi
let browser: Browser
let elsewhere: Server
let id: string
let shown = ''
let sent: Record<string, string> = {}
before(async () => {
  api = await startOwnApi()
  const worker = openWorker(api)
  const { _id } = await uploadClip(
    api,
    await makeClip({ seconds: 5, size: '640x360', rate: '10' }),
    'Harbour',
  )
  id = _id
  await untilPrepared(api, id)
  const isDrawn = async () => (await api.as('admin').videos.get(id)).thumbnails.length > 0
  await until('the poster', isDrawn)
  await worker.stop()
  elsewhere = createServer((_request, reply) =>
    reply
      .writeHead(200, { 'content-type': 'text/html', ...sent })
      .end(`<!doctype html><title>x</title>${shown}`),
  )
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  browser = await openBrowser(autoplay)
})
after(async () => {
  await browser?.close()
  elsewhere.close()
  await api.stop()
})

const port = () => (elsewhere.address() as AddressInfo).port
const address = (suffix: string) =>
  `${api.url}/embed/${id}.${suffix}?api_key=${api.channel.keys.player}&autoplay=true&muted=true`
const frame = (more = '') =>
  `<iframe src="${address('html')}" allow="autoplay" width="640" height="360"${more}></iframe>`
const marked = () =>
  `<div data-zoetrope-video="${id}" data-zoetrope-key="${api.channel.keys.player}" data-muted data-autoplay></div>
  <script async src="${api.url}/zoetrope-player.js"></script>`
const script = (mark = `data-zoetrope-video="${id}"`) =>
  `<div ${mark}></div><script src="${address('js')}"></script>`
const hostedScript = () => script(`id="zype_${id}"`)

async function open(host: string, body: string, headers: Record<string, string> = {}): Promise<Page> {
  shown = body
  sent = headers
  const page = await browser.newPage()
  await page.goto(`http://${host}:${port()}/`)
  return page
}

/** Returns how many seconds the player has played, in the page or in a frame. */
async function played(page: Page): Promise<number> {
  const times = await Promise.all(
    page.frames().map((each) =>
      each
        .evaluate(() => {
          const player = document.querySelector('zoetrope-player') as { currentTime?: number } | null
          return player?.currentTime ?? 0
        })
        .catch(() => 0),
    ),
  )
  return Math.max(...times)
}

async function untilPlays(page: Page): Promise<void> {
  for (let tries = 0; tries < 1500; tries += 1) {
    if ((await played(page)) > 0.5) return
    await page.waitForTimeout(100)
  }
  throw new Error('It does not play')
}

const bind = (embed_domains: string[]) => api.as('admin').account.update({ embed_domains })

for (const [name, body] of [
  ['a frame', frame],
  ['an element', marked],
  ['a script', () => script()],
  ['a script for the hosted service', hostedScript],
] as const)
  test(`${name} plays on a site of the list, which needs to do nothing for it`, async () => {
    await bind([`localhost:${port()}`])
    const page = await open('localhost', body())
    await untilPlays(page)
    await page.close()
  })

test('an element has the look that the channel says, and what stands on it wins', async () => {
  await bind([])
  const { account } = api.as('admin')
  const logo = `${api.url}/zoetrope-player.js?logo`
  await account.update({
    player_color: '#cc5500',
    player_logo_url: logo,
    player_loop: true,
    player_muted: true,
  })
  const own = marked().replace('data-muted', 'data-loop="false" data-color="2855c5" data-controls="false"')
  const page = await open('localhost', `${marked()}${own}`)
  const players = page.locator('zoetrope-player')
  await players.nth(1).waitFor()
  const looks = await players.evaluateAll((all) =>
    all.map((one) =>
      ['accent', 'logo', 'muted', 'loop', 'no-controls'].map((name) => one.getAttribute(name)),
    ),
  )
  assert.deepEqual(looks, [
    ['#cc5500', logo, '', '', null],
    ['#2855c5', logo, '', null, ''],
  ])
  await account.update({ player_color: null, player_logo_url: null, player_loop: false, player_muted: false })
  await page.close()
})

test('a frame plays on a page that sends no referrer, if the frame says otherwise', async () => {
  await bind(['localhost'])
  const hidden = { 'referrer-policy': 'no-referrer' }
  const told = await open('localhost', frame(' referrerpolicy="strict-origin-when-cross-origin"'), hidden)
  await untilPlays(told)
  await told.close()
  const untold = await open('localhost', frame(), hidden)
  await untold.frameLocator('iframe').getByText('on certain sites only').waitFor()
  await untold.close()
})

test('on another site a frame, an element and a script say why they are empty', async () => {
  await bind(['localhost'])
  const framed = await open('127.0.0.1', frame())
  await framed.frameLocator('iframe').getByText('on certain sites only').waitFor()
  await framed.close()
  for (const body of [marked(), script()]) {
    const page = await open('127.0.0.1', body)
    await page.getByText('on certain sites only').waitFor()
    await page.close()
  }
})

test('a script shows the poster and a play button first, and loads the player when its place comes near', async () => {
  await bind([])
  const page = await browser.newPage()
  const order: string[] = []
  page.on('requestfinished', (request) => order.push(request.url()))
  shown = `<div style="height: 6000px"></div>${script().replace('&autoplay=true', '')}<p id="below">Below</p>`
  sent = {}
  await page.goto(`http://localhost:${port()}/`)
  const place = page.locator('zoetrope-player')
  await place.getByRole('button', { name: 'Play' }).waitFor()
  const topOfBelow = () => page.locator('#below').evaluate((below) => (below as HTMLElement).offsetTop)
  const top = await topOfBelow()
  assert.ok(!order.some((url) => url.includes('zoetrope-player')), order.join('\n'))

  await page.locator('#below').scrollIntoViewIfNeeded()
  await place.locator('.big-play').waitFor()
  const [poster = -1, player = -1] = ['/pictures/', '/zoetrope-player.js'].map((part) =>
    order.findIndex((url) => url.includes(part)),
  )
  assert.ok(poster >= 0 && poster < player, order.join('\n'))
  assert.equal(await topOfBelow(), top)
  await page.close()
})

test('a press of the play button counts before the player has loaded', async () => {
  await bind([])
  const page = await browser.newPage()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/zoetrope-player.js', async (route) => {
    await held
    await route.continue()
  })
  shown = script().replace('&autoplay=true', '&autoplay=false')
  sent = {}
  await page.goto(`http://localhost:${port()}/`)
  await page.getByRole('button', { name: 'Play' }).press('Enter')
  await page.locator('button[aria-busy]').waitFor()
  release()
  await untilPlays(page)
  await page.close()
})

test('the script of a video that is gone says so in its place', async () => {
  await bind([])
  const body = script().replaceAll(id, '65f0c0ffee0123456789abcd')
  const page = await open('127.0.0.1', body)
  await page.getByText('This video is gone').waitFor()
  await page.close()
})

test('the browser blocks a foreign page that frames an allowed page', async () => {
  await bind(['localhost'])
  const page = await open('127.0.0.1', '')
  const complaints: string[] = []
  page.on('console', (line) => complaints.push(line.text()))
  shown = frame()
  await page.evaluate((inner) => {
    document.body.innerHTML = `<iframe src="${inner}" width="700" height="400"></iframe>`
  }, `http://localhost:${port()}/`)
  await page.waitForTimeout(1500)
  assert.equal(await played(page), 0)
  assert.match(complaints.join('\n'), /frame-ancestors/)
  await page.close()
})

test('an encrypted film plays on another site like any other', async () => {
  await bind([])
  await api.as('admin').account.update({ hls_encryption: true })
  const page = await open('localhost', frame())
  const keys: number[] = []
  page.on('response', (reply) => reply.url().endsWith('/key') && keys.push(reply.status()))
  await page.reload()
  await untilPlays(page)
  assert.deepEqual(
    keys.filter((status) => status !== 200),
    [],
  )
  assert.ok(keys.length > 0)
  await api.as('admin').account.update({ hls_encryption: false })
  await page.close()
})
