import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { startApi, type TestApi } from './support/api.js'
import { openBrowser } from './support/browser.js'
import { runSources } from './support/run-sources.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'zoetrope-sdk-'))
let api: TestApi

/** What an app does with the package, in every runtime. It gets the address and a key, and returns what it has found. */
const app = `
import { createClient, ZoetropeError } from '@zoetrope/sdk'

export async function useSdk(url: string, apiKey: string): Promise<string[]> {
  const client = createClient({ url, apiKey })
  let after: string | undefined
  const onEvents = (ids: readonly string[]) => { after = ids[0] }
  const { _id } = await client.videos.create({ title: 'Packed', keywords: ['parcel'] }, { onEvents })
  const found: string[] = []
  for await (const { title } of client.videos.all({ id: _id })) found.push(title)
  await client.videos.remove(_id)
  const error: unknown = await client.videos.get(_id).catch((reason: unknown) => reason)
  if (error instanceof ZoetropeError) found.push(error.code)

  const file = new Blob(['not a film'])
  const onProgress = (sent: number, total: number) => { found.push(sent + ' of ' + total) }
  const { videoId } = await client.uploads.send(file, { fields: { title: 'Sent' }, onProgress })
  for await (const event of client.events.follow({ type: 'video.*' }, { after }))
    if (event.type === 'video.created') {
      found.push(event.data.title, String(event.data._id === videoId))
      break
    }
  return found
}
`

before(async () => {
  api = await startApi()
  const copy = join(folder, 'copy')
  await mkdir(copy)
  for (const name of ['package.json', 'README.md'])
    await cp(join(root, 'packages/sdk', name), join(copy, name))
  await run(process.execPath, [...runSources, join(root, 'scripts/build-sdk.ts'), '--types', '--to', copy])
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json'], { cwd: copy })
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }]
  await mkdir(join(folder, 'app'))
  await writeFile(join(folder, 'app/app.mts'), app)
  // Without a network: the package needs nothing else.
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(copy, filename)], {
    cwd: join(folder, 'app'),
  })
})
after(async () => {
  await api.stop()
  await rm(folder, { recursive: true, force: true })
})

const expected = ['Packed', 'not_found', '0 of 10', '10 of 10', 'Sent', 'true']

/** The app with the package in one script that sets a global variable. */
async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: join(folder, 'app'),
    entryPoints: ['app.mts'],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'app',
    target: 'es2022',
  })
  return outputFiles[0]?.text ?? ''
}

test('the packed SDK is one small package without dependencies', async () => {
  const installed = join(folder, 'app/node_modules')
  assert.deepEqual(
    (await readdir(installed)).filter((name) => !name.startsWith('.')),
    ['@zoetrope'],
  )
  assert.deepEqual(await readdir(join(installed, '@zoetrope')), ['sdk'])
  const files = await readdir(join(installed, '@zoetrope/sdk'), { recursive: true, withFileTypes: true })
  const code = files.filter(({ name }) => /\.[cm]?js$/.test(name))
  assert.deepEqual(
    code.map(({ name }) => name),
    ['index.js'],
  )
  assert.ok(files.some(({ name }) => name === 'LICENSE'))
  const text = await readFile(join(installed, '@zoetrope/sdk/dist/package/index.js'), 'utf8')
  assert.ok(text.length < 100_000, `${text.length} characters`)
  assert.doesNotMatch(text, /^import |\bimport\(|\brequire\(/m)
})

test('a strict app compiles with it, whatever it resolves modules with', async () => {
  const settings = [
    { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022', 'dom', 'dom.iterable'] },
    { module: 'node16', moduleResolution: 'node16', lib: ['es2022'], types: ['node'] },
    { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'] },
  ]
  for (const [index, each] of settings.entries()) {
    const config = {
      include: ['app.mts'],
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noPropertyAccessFromIndexSignature: true,
        skipLibCheck: false,
        noEmit: true,
        target: 'es2022',
        types: [],
        typeRoots: [join(root, 'node_modules/@types')],
        ...each,
      },
    }
    const path = join(folder, `app/tsconfig-${index}.json`)
    await writeFile(path, JSON.stringify(config))
    await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', path]).catch(
      ({ stdout }: { stdout: string }) => assert.fail(`${each.moduleResolution}: ${stdout.slice(0, 5000)}`),
    )
  }
})

test('it runs in Node as it is installed', async () => {
  const { useSdk } = (await build({
    absWorkingDir: join(folder, 'app'),
    entryPoints: ['app.mts'],
    outfile: join(folder, 'app/app.mjs'),
    format: 'esm',
  }).then(() => import(join(folder, 'app/app.mjs')))) as App
  assert.deepEqual(await useSdk(api.url, api.channel.keys.admin), expected)
})

interface App {
  useSdk(url: string, key: string): Promise<string[]>
}

test('it runs where there are only the globals of the web', async () => {
  const { AbortController, AbortSignal, Blob, DOMException, FormData, Headers, Response, TextDecoderStream } =
    globalThis
  const {
    TextDecoder,
    TextEncoder,
    URL,
    URLSearchParams,
    atob,
    btoa,
    clearTimeout,
    crypto,
    fetch,
    setTimeout,
  } = globalThis
  const web = createContext({
    ...{ AbortController, AbortSignal, Blob, DOMException, FormData, Headers, Response, TextDecoderStream },
    ...{
      TextDecoder,
      TextEncoder,
      URL,
      URLSearchParams,
      atob,
      btoa,
      clearTimeout,
      crypto,
      fetch,
      setTimeout,
    },
  })
  runInContext(await bundled(), web)
  const calling = `app.useSdk(${JSON.stringify(api.url)}, ${JSON.stringify(api.channel.keys.admin)})`
  assert.deepEqual([...(await runInContext(calling, web))], expected)
})

test('it runs in a page of another origin', async () => {
  const browser = await openBrowser()
  const page = await (await browser.newContext()).newPage()
  await page.addScriptTag({ content: await bundled() })
  const found = await page.evaluate(
    ([url, key]) => (globalThis as unknown as { app: App }).app.useSdk(url, key),
    [api.url, api.channel.keys.admin] as const,
  )
  assert.deepEqual(found, expected)
  await page.context().close()
})
