import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { suite, test } from 'node:test'
import { runSources } from '../../../../test/support/run-sources.js'
import { bytes, content, of, type Subject, testStorage } from '../../../../test/support/storage-contract.js'
import { testUploads } from '../../../../test/support/upload-contract.js'
import { openFileStorage } from './file-storage.js'
import { storageError } from './storage-error.js'

const newFolder = async () => realpath(await mkdtemp(join(tmpdir(), 'zoetrope-storage-')))

async function start(): Promise<Subject & { root: string }> {
  const folder = await newFolder()
  const root = join(folder, 'media')
  return {
    root,
    storage: await openFileStorage(root),
    reopen: () => openFileStorage(root),
    stop: () => rm(folder, { recursive: true, force: true }),
  }
}

/** All files below the folder. */
const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => !entry.isDirectory())

/** Runs a script in its own process; returns its lines as they arrive. */
function startChild(root: string, script: string) {
  const source = `
    import { openFileStorage } from ${JSON.stringify(join(import.meta.dirname, 'file-storage.ts'))}
    const storage = await openFileStorage(${JSON.stringify(root)})
    const pause = () => new Promise((resolve) => setTimeout(resolve, 5))
    ${script}`
  const child = spawn(process.execPath, [...runSources, '--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    line: async () => String((await lines.next()).value),
    async kill() {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
      const rest: string[] = []
      for (let next = await lines.next(); !next.done; next = await lines.next()) rest.push(next.value)
      return rest
    },
  }
}

suite('file storage', () => testStorage(start))
suite('uploads to file storage', () => testUploads(start))

test('a process killed while writing leaves the old object, and its partial one is swept up', async () => {
  const { root, storage, stop } = await start()
  await storage.put('film/a', of('old'))
  const child = startChild(
    root,
    `async function* endless() {
      for (let count = 0; ; count += 1) {
        yield Buffer.alloc(100_000, 1)
        if (count % 10 === 0) console.log(count)
        await pause()
      }
    }
    await storage.put('film/a', endless())`,
  )
  while (Number(await child.line()) < 20);
  assert.equal(await storage.sweep(), 0, 'files of a living process stay')
  await child.kill()
  assert.equal(await content(storage, 'film/a'), 'old')
  assert.equal((await filesIn(join(root, 'aside'))).length, 1)
  assert.equal(await (await openFileStorage(root)).sweep(), 1)
  assert.deepEqual(await filesIn(join(root, 'aside')), [])
  await stop()
})

test('acknowledged bytes of an upload survive a kill', async () => {
  const { root, storage, stop } = await start()
  let acknowledged = 0
  for (const round of [1, 2, 3]) {
    const child = startChild(
      root,
      `const upload = await storage.openUpload('film/a')
      for (let at = await upload.offset(); ; ) {
        at = await upload.append((async function* () {
          for (let index = 0; index < 1000; index += 1) yield Buffer.alloc(1000, String((at / 1000 + index) % 10))
        })(), at)
        console.log(at)
      }`,
    )
    for (let count = 0; count < 5 * round; count += 1) acknowledged = Number(await child.line())
    acknowledged = Number((await child.kill()).at(-1) ?? acknowledged)
    const offset = await (await storage.openUpload('film/a')).offset()
    assert.ok(offset >= acknowledged, `${offset} of ${acknowledged}`)
    acknowledged = offset
  }
  const { size, sha256 } = await (await storage.openUpload('film/a')).finish()
  const hash = createHash('sha256')
  for (let index = 0; index < size / 1000; index += 1) hash.update(bytes(1000, String(index % 10)))
  assert.equal(size, acknowledged)
  assert.equal(sha256, hash.digest('hex'))
  assert.equal((await storage.stat('film/a'))?.size, size)
  assert.deepEqual(await filesIn(join(root, 'uploads')), [])
  await stop()
})

test('an upload interrupted between the two steps of finishing is finished by a repeated request', async () => {
  const { root, storage, stop } = await start()
  const upload = await storage.openUpload('film/a')
  await upload.append(of('abc'), 0)
  const journal = join(root, 'uploads/film/a/+journal')
  const kept = await readFile(journal)
  const facts = await upload.finish()
  await mkdir(join(root, 'uploads/film/a'), { recursive: true })
  await writeFile(journal, kept)
  assert.deepEqual(await (await (await openFileStorage(root)).openUpload('film/a')).finish(), facts)
  assert.deepEqual(await filesIn(join(root, 'uploads')), [])
  await stop()
})

test('a partial line at the end of a journal is ignored', async () => {
  const { root, storage, stop } = await start()
  const upload = await storage.openUpload('film/a')
  await upload.append(of('abc'), 0)
  await writeFile(join(root, 'uploads/film/a/+journal'), '\n9000 0123456', { flag: 'a' })
  await writeFile(join(root, 'uploads/film/a/+data'), 'never acknowledged', { flag: 'a' })
  assert.equal(await upload.offset(), 3)
  assert.equal(await upload.append(of('def'), 3), 6)
  assert.equal((await upload.finish()).size, 6)
  assert.equal(await content(storage, 'film/a'), 'abcdef')
  await stop()
})

test('bytes that the disk has lost are never filled with zeros', async () => {
  const { root, storage, stop } = await start()
  const upload = await storage.openUpload('film/a')
  await upload.append(of('abcdef'), 0)
  await truncate(join(root, 'uploads/film/a/+data'), 2)
  await assert.rejects(upload.finish(), { reason: 'broken' })
  assert.equal(await storage.stat('film/a'), undefined)
  await stop()
})

test('a gigabyte is written and read in little memory', async (context) => {
  const { storage, stop } = await start()
  const chunk = bytes(1_048_576)
  const before = process.memoryUsage().rss
  let most = 0
  async function* gigabyte() {
    for (let count = 0; count < 1024; count += 1) {
      yield chunk
      if (count % 64 === 0) most = Math.max(most, process.memoryUsage().rss)
    }
  }
  assert.equal((await storage.put('large/a', gigabyte())).size, 2 ** 30)
  let size = 0
  for await (const part of (await storage.read('large/a'))?.body ?? []) {
    size += part.length
    if (size % 2 ** 26 === 0) most = Math.max(most, process.memoryUsage().rss)
  }
  assert.equal(size, 2 ** 30)
  context.diagnostic(`${Math.round((most - before) / 1_048_576)} MB more`)
  assert.ok(most - before < 100 * 1_048_576, `${Math.round((most - before) / 1_048_576)} MB more`)
  await stop()
})

test('symbolic links in the storage are not followed', async () => {
  const { root, storage, stop } = await start()
  const outside = await newFolder()
  await writeFile(join(outside, 'secret'), 'secret')
  await symlink(outside, join(root, 'objects/link'))
  await mkdir(join(root, 'objects/real'))
  await symlink(join(outside, 'secret'), join(root, 'objects/real/file'))
  const refused = { reason: 'broken', message: /symbolic link/ }
  for (const key of ['link/secret', 'real/file']) {
    await assert.rejects(storage.read(key), refused)
    await assert.rejects(storage.stat(key), refused)
    await assert.rejects(storage.remove(key), refused)
    await assert.rejects(
      storage.withLocalFile(key, async () => {}),
      refused,
    )
  }
  await assert.rejects(storage.put('link/new/deep', of('x')), refused)
  await assert.rejects(storage.removeUnder('link'), refused)
  await storage.put('real/file', of('ours'))
  assert.equal(await content(storage, 'real/file'), 'ours')
  for await (const { key } of storage.list('')) assert.equal(key, 'real/file')
  assert.deepEqual(await readdir(outside), ['secret'])
  assert.equal(await readFile(join(outside, 'secret'), 'utf8'), 'secret')
  await rm(outside, { recursive: true })
  await stop()
})

test('other users of the machine have no access', async () => {
  const { root, storage, stop } = await start()
  await storage.put('film/a', of('x'))
  await (await storage.openUpload('film/b')).append(of('x'), 0)
  await storage.withScratch(async (folder) => {
    await writeFile(join(folder, 'c'), 'x', { mode: 0o644 })
    await storage.putFile('film/c', join(folder, 'c'))
  })
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const { mode } = await stat(join(entry.parentPath, entry.name))
    assert.equal(mode & 0o777, entry.isDirectory() ? 0o700 : 0o600, entry.name)
  }
  await stop()
})

test('an object and a folder of the same name are refused', async () => {
  const { root, storage, stop } = await start()
  await storage.put('a/b', of('x'))
  await assert.rejects(storage.put('a/b/c', of('x')), { reason: 'bad_key' })
  await assert.rejects(storage.put('a', of('x')), { reason: 'bad_key' })
  assert.equal(await storage.stat('a'), undefined)
  assert.equal(await storage.read('a'), undefined)
  await storage.remove('a')
  assert.equal(await content(storage, 'a/b'), 'x')
  assert.deepEqual(await filesIn(join(root, 'aside')), [])
  await stop()
})

test('a file on another disk is copied', { skip: process.platform !== 'linux' }, async () => {
  const { storage, stop } = await start()
  const other = await mkdtemp('/dev/shm/zoetrope-storage-')
  await writeFile(join(other, 'a'), 'from afar')
  assert.deepEqual(await storage.putFile('film/a', join(other, 'a')), { size: 9 })
  assert.deepEqual(await readdir(other), [])
  assert.equal(await content(storage, 'film/a'), 'from afar')
  await rm(other, { recursive: true })
  await stop()
})

test('a disk error is explained', () => {
  for (const [code, reason] of [
    ['EIO', 'broken'],
    ['EROFS', 'broken'],
    ['EDQUOT', 'full'],
  ]) {
    const error = storageError(Object.assign(new Error(`${code}: /secret/path`), { code })) as Error & {
      reason: string
    }
    assert.equal(error.reason, reason)
    assert.match(error.message, /^The .*media storage.*\.$/)
    assert.doesNotMatch(error.message, /secret/)
  }
})
