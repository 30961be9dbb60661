import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startApi, type TestApi } from '../support/api.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const get = (path: string, headers: Record<string, string> = {}) => fetch(api.url + path, { headers })

/** Returns the files that the first load of a page requests at once. */
async function firstFiles(path = ''): Promise<string[]> {
  const html = await (await get(`/dashboard${path}`)).text()
  return [...html.matchAll(/(?:src|href)="(\/dashboard\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
}

test('every path of the dashboard returns its page, which is not cached', async () => {
  for (const path of ['/dashboard', '/dashboard/', '/dashboard/videos', '/dashboard/videos/65f0.x/y']) {
    const answer = await get(path)
    assert.equal(answer.status, 200, path)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const text = await answer.text()
    assert.match(text, /<div id="root">/)
    assert.doesNotMatch(text, /\{\w+\}/)
  }
})

test('the root path redirects a browser to the dashboard, and returns 404 for programs', async () => {
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
  for (const path of ['', '/', '/?from=mail']) {
    const answer = await fetch(api.url + path, { headers: browser, redirect: 'manual' })
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/dashboard'])
    assert.match(answer.headers.get('vary') ?? '', /Accept/)
  }
  for (const accept of ['*/*', 'application/json', 'application/xml']) {
    const answer = await get('/', { accept })
    assert.equal(answer.status, 404)
    assert.match(await answer.text(), /The reference is at \/docs\./)
  }
})

test('the page runs only scripts of its own origin, has a new nonce each time and cannot be framed', async () => {
  const policies = await Promise.all(
    [1, 2].map(async () => {
      const answer = await get('/dashboard')
      const policy = answer.headers.get('content-security-policy') ?? ''
      const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? []
      assert.ok((await answer.text()).includes(`nonce="${nonce}"`))
      return { policy, nonce }
    }),
  )
  const [first, second] = policies
  assert.notEqual(first?.nonce, second?.nonce)
  assert.ok((first?.nonce.length ?? 0) >= 22)
  const directives = Object.fromEntries(
    (first?.policy ?? '').split('; ').map((line) => [line.split(' ')[0], line.split(' ').slice(1).join(' ')]),
  )
  assert.equal(directives['default-src'], "'none'")
  assert.equal(directives['script-src'], "'self'")
  assert.equal(directives['connect-src'], "'self'")
  assert.equal(directives['frame-ancestors'], "'none'")
  assert.doesNotMatch(first?.policy ?? '', /unsafe/)
  const html = await (await get('/dashboard')).text()
  assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|<style|\son\w+=|style=/)
})

test('the files of the page exist, are compressed, and are cached for good', async () => {
  const files = await firstFiles()
  assert.ok(files.length >= 4)
  for (const file of files) {
    const answer = await get(file, { 'accept-encoding': 'br, gzip' })
    assert.equal(answer.status, 200, file)
    assert.equal(answer.headers.get('content-encoding'), 'br')
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  }
})

test('a first load stays below 210 KB gzipped, in a handful of files', async (context) => {
  const page = await (await get('/dashboard')).text()
  const names = await firstFiles()
  const files = await Promise.all(names.map(async (file) => (await get(file)).text()))
  const bytes = [page, ...files].reduce((sum, text) => sum + gzipSync(text).length, 0)
  context.diagnostic(`A first load is ${(bytes / 1000).toFixed(0)} KB gzipped in ${names.length} files.`)
  assert.ok(bytes < 210_000, `${bytes} bytes`)
  assert.ok(names.length <= 8, names.join(' '))
})

test("the dashboard's own styles come after Mantine's, which they change", async () => {
  const [name = ''] = (await firstFiles()).filter((file) => file.endsWith('.css'))
  const styles = await (await get(name)).text()
  const mantine = [...styles.matchAll(/\.m_[0-9a-f]+/g)].map(({ index }) => index)
  const ours = [...styles.matchAll(/\._\w+_\w{5}_\d+/g)].map(({ index }) => index)
  assert.ok(mantine.length > 100 && ours.length > 50)
  assert.ok((mantine.at(-1) ?? 0) < (ours[0] ?? 0))
})

test('the HTML of a path names the files of its page, so that they load in parallel', async () => {
  const begun = await firstFiles('/nothing-of-the-kind')
  const ofPage = async (path: string) =>
    (await firstFiles(path)).filter((file) => !begun.includes(file)).sort()
  const channel = `/c/${api.channel.channel._id}`
  const [list, record, other, named] = await Promise.all(
    ['/playlists?q=x', '/playlists/65f0aa', '/videos', `${channel}/videos`].map((path) => ofPage(path)),
  )
  for (const files of [list, record, other, named]) {
    assert.ok(files && files.length > 0 && files.length <= 9, files?.join(' '))
    for (const file of files) assert.equal((await get(file)).status, 200, file)
  }
  assert.deepEqual(list, record)
  assert.notDeepEqual(list, other)
  assert.deepEqual(named, other)
})

test('other files are not found, with any spelling of the path', async () => {
  const names = ['main.js', '..%2f..%2fpackage.json', '..%2findex.html', 'x.html', '%00.js', '.env', 'a/b.js']
  for (const name of names) {
    const answer = await get(`/dashboard/assets/${name}`)
    const isPage = (answer.headers.get('content-type') ?? '').startsWith('text/html')
    assert.ok(answer.status === 404 || isPage, `${name}: ${answer.status}`)
    assert.doesNotMatch(await answer.text(), /"name": "@zoetrope/)
  }
})

test('an unknown path of the dashboard API returns a JSON error, not a page', async () => {
  const answer = await get('/dashboard/api/nothing-of-the-kind')
  assert.equal(answer.status, 404)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
})
