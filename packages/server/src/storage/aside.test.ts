import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { runSources } from '../../../../test/support/run-sources.js'
import { openAside } from './aside.js'
import { openFileStorage } from './file-storage.js'

async function start() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'zoetrope-aside-')))
  return {
    root,
    storage: await openFileStorage(root),
    stop: () => rm(root, { recursive: true, force: true }),
  }
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => !entry.isDirectory())

/**
 * Sweeps from a process in its own pid namespace, like another container; undefined where none can be made.
 */
async function sweepElsewhere(root: string): Promise<string | undefined> {
  const source = `
    import { openFileStorage } from ${JSON.stringify(join(import.meta.dirname, 'file-storage.ts'))}
    console.log(await (await openFileStorage(${JSON.stringify(root)})).sweep())`
  const unshare = ['--pid', '--fork', '--mount-proc']
  if ((await run('/usr/bin/unshare', [...unshare, 'true']).catch(() => true)) === true) return undefined
  const node = [process.execPath, ...runSources, '--input-type=module', '-e', source]
  return (await run('/usr/bin/unshare', [...unshare, ...node])).stdout.trim()
}

const run = promisify(execFile)

test('processes with one hostname in two pid namespaces leave each other’s unfinished files alone', async (context) => {
  const { root, storage, stop } = await start()
  await storage.withScratch(async (folder) => {
    await writeFile(join(folder, 'half'), 'half a film')
    const swept = await sweepElsewhere(root)
    if (swept === undefined) return context.skip('This user may not make a namespace.')
    assert.equal(swept, '0')
    assert.equal(await readFile(join(folder, 'half'), 'utf8'), 'half a film')
  })
  await stop()
})

test('unfinished files of an unknown process stay until nothing has changed for a day', async () => {
  const { root, storage, stop } = await start()
  const [own = ''] = await storage.withScratch(() => readdir(join(root, 'aside')))
  const [machine = '', boot = '', namespace = '', pid = '', begun = ''] = own.split('~')
  const unknown = [
    [machine, '0'.repeat(boot.length), namespace, '1', begun],
    [machine, boot, `${Number(namespace) + 1}`, pid, begun],
    ['elsewhere', boot, namespace, pid, begun],
    [machine, '1', begun],
  ].map((words) => join(root, 'aside', words.join('~')))
  const ended = join(root, 'aside', [machine, boot, namespace, '4194999', begun].join('~'))
  for (const folder of [...unknown, ended]) {
    await mkdir(folder)
    await writeFile(join(folder, 'half'), 'half a film')
  }
  assert.equal(await storage.sweep(), 1)
  assert.equal((await filesIn(join(root, 'aside'))).length, unknown.length)

  const old = new Date(Date.now() - 25 * 3_600_000)
  for (const folder of unknown)
    for (const path of [join(folder, 'half'), folder]) await utimes(path, old, old)
  assert.equal(await storage.sweep(), unknown.length)
  assert.deepEqual(await filesIn(join(root, 'aside')), [])
  await stop()
})

test('a sweep of a folder that was deleted finds nothing', async () => {
  const { root, stop } = await start()
  const aside = await openAside(join(root, 'gone'))
  assert.equal(await aside.sweep(), 0)
  await stop()
})
