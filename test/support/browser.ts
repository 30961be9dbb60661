import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { patienceMs } from './patience.js'
import { atEnd, runningFile } from './running-file.js'

/** Headless Chromium. This Debian package starts and renders several times faster than the full browser. */
export const debianBrowser = { package: 'chromium-headless-shell', path: '/usr/bin/chromium-headless-shell' }

/** Returns the path of the browser. Set `CHROMIUM` on systems other than Debian. */
export const browserPath = (): string | undefined =>
  [process.env.CHROMIUM, debianBrowser.path, '/usr/bin/chromium'].find((path) => path && existsSync(path))

const args = [
  ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--mute-audio'],
  // Test pages live for seconds: optimising their scripts takes longer than it saves.
  '--js-flags=--no-opt --no-maglev',
]

/** Allows autoplay, as on a page that the user has clicked. */
export const autoplay = '--autoplay-policy=no-user-gesture-required'

const shared = new Map<string, Promise<Browser>>()

/**
 * Opens a real browser with the same timeout as the tests. The test files of a process share it: closing it closes the pages
 * of the file. Unusual options need a browser of their own.
 */
export async function openBrowser(...more: readonly string[]): Promise<Browser> {
  if (runningFile() === '' || more.some((option) => option !== autoplay)) return launch(more)
  const key = more.join()
  const known = await shared.get(key)?.catch(() => undefined)
  if (known?.isConnected()) return known
  const launching = launch(more).then(closedAtEnd)
  shared.set(key, launching)
  return launching
}

function closedAtEnd(browser: Browser): Browser {
  const end = browser.close.bind(browser)
  atEnd(() => end())
  browser.close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
  }
  return browser
}

async function launch(more: readonly string[]): Promise<Browser> {
  const executablePath = browserPath()
  if (!executablePath) throw new Error('Install Chromium, or let CHROMIUM name it.')
  const browser = await chromium.launch({ executablePath, args: [...args, ...more] })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(patienceMs)
    return context
  }
  return browser
}
