import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { autoplay, openBrowser } from '../../../test/support/browser.js'
import type { Film, Player } from './trial.js'

const ofPlayer = createRequire(new URL('../../../packages/player/package.json', import.meta.url))
const ofTests = createRequire(import.meta.url)

/** A player in a page: its script, and the code that plays `url` in `video`. */
interface Script {
  readonly name: string
  readonly version: string
  readonly path: string
  readonly start: string
}

const versionIn = async (path: string) =>
  (JSON.parse(await readFile(path, 'utf8')) as { version: string }).version

async function findScripts(folder: string): Promise<Script[]> {
  await promisify(execFile)('npm', ['install', '--prefix', folder, '--no-save', 'video.js@8'])
  const videoJs = join(folder, 'node_modules/video.js')
  return [
    {
      name: 'hls.js',
      version: await versionIn(ofPlayer.resolve('hls.js/package.json')),
      path: ofPlayer.resolve('hls.js/dist/hls.min.js'),
      start: `const hls = new Hls({ enableWorker: false })
        hls.on(Hls.Events.ERROR, (_, data) => data.fatal && errors.push(data.details))
        hls.loadSource(url)
        hls.attachMedia(video)`,
    },
    {
      name: 'shaka-player',
      version: await versionIn(ofTests.resolve('shaka-player/package.json')),
      path: ofTests.resolve('shaka-player/dist/shaka-player.compiled.js'),
      start: `const player = new shaka.Player()
        player.addEventListener('error', ({ detail }) => errors.push(String(detail.code)))
        player.attach(video).then(() => player.load(url)).catch((error) => errors.push(String(error.code)))`,
    },
    {
      name: 'video.js',
      version: await versionIn(join(videoJs, 'package.json')),
      path: join(videoJs, 'dist/video.min.js'),
      start: `const player = videojs(video, { html5: { vhs: { overrideNative: true } } })
        player.on('error', () => errors.push(player.error().message))
        player.src({ src: url, type: 'application/vnd.apple.mpegurl' })`,
    },
  ]
}

const waitMs = 60_000

async function play(browser: Browser, page: string, { path, start }: Script, address: string, film: Film) {
  const tab = await browser.newPage()
  try {
    await tab.goto(page)
    await tab.addScriptTag({ content: await readFile(path, 'utf8') })
    const given = `const video = document.querySelector('video'); window.video = video; window.errors = []; const url = ${JSON.stringify(address)}`
    await tab.evaluate(`${given}; ${start}`)
    const until = (condition: string) =>
      tab.waitForFunction(`errors.length > 0 || (${condition})`, undefined, { timeout: waitMs })
    await until('video.readyState > 0')
    await tab.evaluate('void video.play().catch(() => {})')
    await until('video.currentTime > 1.5')
    await tab.evaluate('video.currentTime = video.duration * 0.7; void video.play().catch(() => {})')
    await until('!video.seeking && video.currentTime > video.duration * 0.7 + 0.5')
    await until('video.ended')
    const [errors, width, duration] = (await tab.evaluate('[errors, video.videoWidth, video.duration]')) as [
      string[],
      number,
      number,
    ]
    if (errors.length > 0) return errors.join(' ')
    if (film.hasPictures && width === 0) return 'shows no picture'
    return Math.abs(duration - film.seconds) < 0.5 ? '' : `lasts ${duration} s`
  } catch (error) {
    const state = await tab
      .evaluate('JSON.stringify([errors, video.currentTime, video.readyState])')
      .catch(() => '')
    return `${error instanceof Error ? error.message.split('\n')[0] : error} ${state}`
  } finally {
    await tab.close()
  }
}

/** Opens HLS players in Chromium, on a page of another origin. */
export async function openBrowserPlayers(
  folder: string,
): Promise<{ players: Player[]; close(): Promise<void> }> {
  const scripts = await findScripts(folder)
  const server = createServer((_request, reply) =>
    reply.setHeader('content-type', 'text/html').end('<!doctype html><title>x</title><video muted></video>'),
  )
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const page = `http://localhost:${(server.address() as AddressInfo).port}/`
  const browser = await openBrowser(autoplay)
  return {
    players: scripts.map((script) => ({
      name: script.name,
      version: script.version,
      play: (address, film) => play(browser, page, script, address, film),
    })),
    async close() {
      await browser.close()
      server.close()
    },
  }
}
