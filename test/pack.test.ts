import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeGround, startServer } from './support/server-process.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'zoetrope-pack-'))
after(() => rm(folder, { recursive: true, force: true }))

interface PackageFile {
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly bundleDependencies: readonly string[]
}

/** Packs a copy of the server's package: in the checkout, other servers start while this test runs. */
async function pack(): Promise<string> {
  const copy = join(folder, 'copy')
  for (const name of ['package.json', 'assets', 'bin', 'dist', 'src/db'])
    await cp(join(root, 'packages/server', name), join(copy, name), { recursive: true })
  await run(process.execPath, [join(root, 'scripts/stage-package.mjs'), '--to', copy])
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json'], { cwd: copy })
  const [made] = JSON.parse(stdout) as [{ readonly filename: string }]
  return join(copy, made.filename)
}

/** Unpacks it as npm would install it, with the packages that it depends on and no others. */
async function install(tarball: string): Promise<string> {
  const installed = join(folder, 'node_modules/@zoetrope/server')
  await mkdir(installed, { recursive: true })
  await run('tar', ['xzf', tarball, '-C', installed, '--strip-components=1'])
  const facts = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as PackageFile
  const present = new Set(await readdir(join(root, 'node_modules')))
  for (const name of Object.keys({ ...facts.dependencies, ...facts.optionalDependencies })) {
    const isHere = present.has(name.split('/')[0] ?? '')
    if (!isHere || facts.bundleDependencies.includes(name)) continue
    await mkdir(dirname(join(folder, 'node_modules', name)), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return installed
}

test('the packed server runs alone, with the dashboard and the player', async (t) => {
  const installed = await install(await pack())
  const files = await readdir(installed, { recursive: true })
  assert.deepEqual(
    files.filter((name) => /\.(test\.js|ts|map|tsbuildinfo)$/.test(name)),
    [],
  )
  const { env, remove } = await makeGround()
  t.after(remove)
  const server = await startServer(env, [process.execPath, join(installed, 'bin/zoetrope.js')])
  t.after(server.stop)
  const read = async (path: string) => {
    const reply = await fetch(`${server.url}${path}`)
    assert.equal(reply.status, 200, path)
    return reply.text()
  }
  const [, asset = ''] = /src="(\/dashboard\/assets\/[^"]+)"/.exec(await read('/dashboard')) ?? []
  assert.ok((await read(asset)).length > 0)
  assert.match(await read('/zoetrope-player.js'), /zoetrope-player/)
})
