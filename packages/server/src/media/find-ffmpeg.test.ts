import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { commandFor, findFfmpeg, isNewEnough } from './find-ffmpeg.js'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-find-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** As on a system without packages. */
const none = async () => undefined

async function addProgram(name: string, version: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\necho "ffmpeg version ${version} Copyright"\n`)
  await chmod(path, 0o755)
  return path
}

test('an ffmpeg is found with its version', async () => {
  const { programs } = await findFfmpeg()
  assert.match(programs?.ffmpeg ?? '', /\/ffmpeg$/)
  assert.match(programs?.ffprobe ?? '', /\/ffprobe$/)
  assert.ok(isNewEnough(programs?.version ?? ''))
})

test('without any ffmpeg, the reason says how to install it', async () => {
  const search = await findFfmpeg({ searchPath: '/nowhere:/neither', packaged: none })
  assert.equal(search.programs, undefined)
  assert.match('reason' in search ? search.reason : '', /^ffmpeg is not installed\. Install it with .+\.$/)
  const mac = await findFfmpeg({ searchPath: '/nowhere', platform: 'darwin', packaged: none })
  assert.match('reason' in mac ? mac.reason : '', /brew install ffmpeg/)
})

test('a configured ffmpeg that does not work is not replaced by another', async () => {
  const search = await findFfmpeg({ ffmpegPath: '/nowhere/ffmpeg' })
  assert.match('reason' in search ? search.reason : '', /^\/nowhere\/ffmpeg is not there.*FFMPEG_PATH/)
})

/** A pair with other names, as in the packages. */
async function newPair(folder: string) {
  await addProgram('encoder', '7.0')
  await addProgram('prober', '7.0')
  return { ffmpeg: join(folder, 'encoder'), ffprobe: join(folder, 'prober') }
}

test("the system's ffmpeg takes precedence over the packages'", async () => {
  await addProgram('ffmpeg', '6.1')
  await addProgram('ffprobe', '6.1')
  const { programs } = await findFfmpeg({ searchPath: folder, packaged: async () => newPair(folder) })
  assert.deepEqual(programs, {
    ffmpeg: join(folder, 'ffmpeg'),
    ffprobe: join(folder, 'ffprobe'),
    version: '6.1',
    origin: 'system',
  })
  await rm(join(folder, 'ffmpeg'))
  await rm(join(folder, 'ffprobe'))
})

test('an ffmpeg that is too old, or has no ffprobe, is ignored', async () => {
  const path = await addProgram('ffmpeg', '4.4.2-0ubuntu')
  const alone = await findFfmpeg({ ffmpegPath: path })
  assert.match('reason' in alone ? alone.reason : '', /no ffprobe beside it/)
  await addProgram('ffprobe', '4.4.2-0ubuntu')
  const old = await findFfmpeg({ ffmpegPath: folder })
  assert.match('reason' in old ? old.reason : '', /is version 4\.4\.2-0ubuntu, and 5\.1 is needed/)
  const other = await findFfmpeg({ searchPath: folder, packaged: async () => newPair(folder) })
  assert.equal(other.programs?.origin, 'packages')
})

test('versions are compared numerically, and builds from a repository count as new', () => {
  const verdicts = [
    '5.0.3',
    '5.1',
    '5.1.9-0+deb12u1',
    'n6.1',
    '10.0',
    '4.4',
    'N-112-gabc',
    '2024-01-01-git',
    'x',
  ]
  assert.deepEqual(verdicts.map(isNewEnough), [false, true, true, true, true, false, true, true, false])
})

test('the install command matches the system or its relatives', () => {
  assert.equal(commandFor('ID=alpine\n'), 'apk add ffmpeg')
  assert.equal(commandFor('NAME=Mint\nID=linuxmint\nID_LIKE="ubuntu debian"\n'), 'apt-get install ffmpeg')
  assert.equal(commandFor('ID=plan9\n'), undefined)
})
