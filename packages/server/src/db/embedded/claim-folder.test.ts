import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { runSources } from '../../../../../test/support/run-sources.js'
import { claimFolder } from './claim-folder.js'

let root: string
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'zoetrope-claim-'))
})
after(() => rm(root, { recursive: true }))

function runScript(script: string, ...args: string[]): ChildProcess {
  const imports = `import { claimFolder } from ${JSON.stringify(new URL('claim-folder.ts', import.meta.url).href)}\n`
  const flags = [...runSources, '--input-type=module', '-e']
  return spawn(process.execPath, [...flags, imports + script, '--', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

async function nextLine(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout)
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return line
}

test('a claimed folder is refused until it is released', async () => {
  const folder = join(root, 'released')
  const claim = await claimFolder(folder)

  await assert.rejects(claimFolder(folder), {
    message: `Another Zoetrope (pid ${process.pid}) is already using the folder ${folder}. Stop it first, or set DATA_DIR to another folder.`,
  })
  claim.release()
  const next = await claimFolder(folder)
  claim.release()

  await assert.rejects(claimFolder(folder), /already using/)
  next.release()
  assert.deepEqual(await readdir(folder), [])
})

test('a holder that is killed leaves the folder free', async () => {
  const folder = join(root, 'killed')
  const holder = runScript(
    `await claimFolder(process.argv[1]); console.log('claimed'); setInterval(() => {}, 1000)`,
    folder,
  )
  await nextLine(holder)
  await assert.rejects(claimFolder(folder), new RegExp(`pid ${holder.pid}`))

  holder.kill('SIGKILL')
  await once(holder, 'exit')

  const claim = await claimFolder(folder)
  claim.release()
})

test('a lock whose pid belongs to another process by now refuses nobody', async () => {
  const folder = join(root, 'reused')
  await mkdir(folder)
  await writeFile(join(folder, 'zoetrope.lock'), `${process.pid} 0 an-earlier-boot 1\n`)

  const claim = await claimFolder(folder)

  claim.release()
})

test('of two processes that find the same stale lock at the same moment exactly one gets the folder', async () => {
  const folders = Array.from({ length: 60 }, (_, index) => join(root, `race-${index}`))
  for (const folder of folders) {
    await mkdir(folder)
    await writeFile(join(folder, 'zoetrope.lock'), '1 0 an-earlier-boot 1\n')
  }
  // Both wait for the same millisecond before each claim: who comes later finds nothing to race for.
  const script = `
    import { once } from 'node:events'
    console.log('here')
    const [start] = await once(process.stdin, 'data')
    const won = []
    for (const [index, folder] of process.argv.slice(1).entries()) {
      while (Date.now() < Number(start) + index * 5);
      won.push(await claimFolder(folder).then(() => 1, () => 0))
    }
    console.log(JSON.stringify(won))
    await once(process.stdin, 'data')
    process.exit()`
  const racers = [runScript(script, ...folders), runScript(script, ...folders)]
  await Promise.all(racers.map(nextLine))

  const start = Date.now() + 20
  for (const racer of racers) racer.stdin?.write(String(start))
  const [one = [], other = []]: number[][] = (await Promise.all(racers.map(nextLine))).map((line) =>
    JSON.parse(line),
  )
  for (const racer of racers) racer.stdin?.write('end')
  await Promise.all(racers.map((racer) => once(racer, 'exit')))

  const winners = one.map((won, index) => won + (other[index] ?? 0))
  assert.deepEqual(winners, new Array(folders.length).fill(1))
})

test('a folder that cannot be made is refused in a sentence that says what to do', async () => {
  const file = join(root, 'file')
  await writeFile(file, '')

  await assert.rejects(
    claimFolder(join(file, 'data')),
    /^Error: Zoetrope cannot keep .* set DATA_DIR .*ENOTDIR/,
  )
})
