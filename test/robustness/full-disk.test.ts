/** A server whose disk fills up, with a small real file system. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../support/patience.js'
import { makeGround, readCredentials, startServer } from '../support/server-process.js'
import { smallDisk } from '../support/small-disk.js'

const freeIn = async (folder: string) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Fills a disk until only so many bytes are left. */
async function fill(folder: string, left: number): Promise<void> {
  const file = await open(join(folder, 'ballast'), 'a')
  const piece = Buffer.alloc(1_048_576)
  try {
    while ((await freeIn(folder)) > left) await file.write(piece)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    await file.close()
  }
}

interface Refusal {
  readonly message: string
  readonly code: string
  readonly hint?: string
}

test('a full disk is named before and when it is full, and everything goes on when there is room', async (context) => {
  const disk = await smallDisk('640m')
  if (!disk) return context.skip('This user may not make a small disk.')
  const ground = await makeGround()
  const env = { ...ground.env, DATA_DIR: join(disk.folder, 'data'), WORKERS: '0' }
  const server = await startServer(env)
  const { keys } = await readCredentials(env)
  const post = async (path: string, body: BodyInit, key = `api_key=${keys.admin}`) => {
    const reply = await fetch(`${server.url}${path}?${key}`, { method: 'POST', body })
    return { status: reply.status, body: (await reply.json()) as Refusal & { response: { token: string } } }
  }
  const upload = (key?: string) => {
    const form = new FormData()
    form.set('source', new Blob([randomBytes(100_000)]), 'film.mp4')
    return post('/uploads', form, key)
  }
  const untilWarned = (words: RegExp) =>
    until(`${words}`, async () => {
      const { warnings = [] } = (await (await fetch(`${server.url}/readyz`)).json()) as {
        warnings?: string[]
      }
      return warnings.some((sentence) => words.test(sentence))
    })
  assert.equal((await upload()).status, 201)
  const { token } = (await post('/upload_tokens', new URLSearchParams({ 'upload_token[uploads]': '9' }))).body
    .response

  await fill(disk.folder, 300e6)
  await untilWarned(/The disk of .*\(films, database\) is nearly full: 0\.\d GB of 0\.7 GB are free/)
  assert.equal((await upload()).status, 201)

  await fill(disk.folder, 100e6)
  await untilWarned(/is full: .* Uploads are refused/)
  const refused = await upload()
  assert.deepEqual([refused.status, refused.body.code], [507, 'insufficient_storage'])
  assert.match(refused.body.message, /^The disk of the media storage is full/)
  assert.match(refused.body.hint ?? '', /are free on the disk of \/.*media\./)
  const tus = await fetch(`${server.url}/uploads/tus?api_key=${keys.admin}`, {
    method: 'POST',
    headers: { 'tus-resumable': '1.0.0', 'upload-length': '100000' },
  })
  assert.equal(tus.status, 507)
  const fromPage = await upload(`upload_token=${token}`)
  assert.equal(fromPage.status, 507)
  assert.equal(fromPage.body.hint, undefined, 'pages of others are not told where')

  await fill(disk.folder, 0)
  const write = () =>
    post(
      '/videos',
      new URLSearchParams({
        'video[title]': 'Film',
        'video[description]': randomBytes(9000).toString('hex'),
      }),
    )
  const last = await until('A refused write', async () => {
    const reply = await write()
    return reply.status !== 201 && reply
  })
  assert.deepEqual([last.status, last.body.code], [507, 'insufficient_storage'])
  assert.match(last.body.message, /^The disk of the database is full/)
  assert.match(last.body.hint ?? '', /are free on the disk of \/.*postgres\./)

  await rm(join(disk.folder, 'ballast'))
  await until('A write that is taken', async () => (await write()).status === 201)
  await until('The end of the warnings', async () => {
    const reply = await fetch(`${server.url}/readyz`)
    const { warnings = [] } = (await reply.json()) as { warnings?: string[] }
    return reply.status === 200 && !warnings.some((sentence) => sentence.startsWith('The disk of'))
  })
  await server.stop()
  await disk.free()
  await ground.remove()
})
