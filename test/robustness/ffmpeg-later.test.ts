/** ffmpeg is installed while the server runs. */
import assert from 'node:assert/strict'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Client, createClient } from '@zoetrope/sdk'
import { findFfmpeg } from '../../packages/server/src/media/find-ffmpeg.js'
import { makeClip } from '../support/clip.js'
import { until } from '../support/patience.js'
import { makeGround, type RunningServer, readCredentials, startServer } from '../support/server-process.js'

let ground: Awaited<ReturnType<typeof makeGround>>
let server: RunningServer
let client: Client
let apiKey: string
let id: string
/** The folder into which ffmpeg is installed. */
let folder: string

before(async () => {
  ground = await makeGround()
  folder = join(ground.folder, 'bin')
  server = await startServer({ ...ground.env, FFMPEG_PATH: join(folder, 'ffmpeg') })
  apiKey = (await readCredentials(ground.env)).keys.admin
  client = createClient({ url: server.url, apiKey })
})
after(async () => {
  await server.stop()
  await ground.remove()
})

type Video = Awaited<ReturnType<Client['videos']['get']>>

const untilVideo = (what: string, isWanted: (video: Video) => boolean): Promise<Video> =>
  until(what, async () => {
    const video = await client.videos.get(id)
    return isWanted(video) && video
  })

async function setPoster(): Promise<Response> {
  const form = new FormData()
  form.set('image', new Blob([await readFile('docs/images/link.png')]), 'link.png')
  return fetch(`${server.url}/videos/${id}/poster?api_key=${apiKey}`, { method: 'PUT', body: form })
}

test('the welcome says in one line what to install', () => {
  assert.match(
    server.output().stdout,
    /^ {2}Video {8}\S+ffmpeg is not there or may not be run\. .*install .*\. Until then uploads wait; no restart is needed\.$/m,
  )
})

test('without ffmpeg an upload waits and its record says why', async () => {
  const form = new FormData()
  form.set('video[title]', 'Patience')
  form.set('source', new Blob([await readFile(await makeClip({ seconds: 2 }))]), 'clip.mp4')
  const reply = await fetch(`${server.url}/uploads?api_key=${apiKey}`, { method: 'POST', body: form })
  assert.equal(reply.status, 201)
  id = ((await reply.json()) as { response: { _id: string } }).response._id

  const { status, status_reason } = await untilVideo('a reason', (video) => video.status_reason !== null)
  assert.equal(status, 'processing')
  assert.match(status_reason ?? '', /ffmpeg is not there or may not be run/)
})

test('without ffmpeg an image is refused for now, with the same reason', async () => {
  const reply = await setPoster()
  assert.equal(reply.status, 503)
  assert.match(((await reply.json()) as { message: string }).message, /ffmpeg is not there or may not be run/)
})

test('once ffmpeg is installed, the upload becomes ready without a restart', async () => {
  const { programs } = await findFfmpeg({ searchPath: process.env.PATH ?? '' })
  assert.ok(programs)
  await mkdir(folder)
  await symlink(programs.ffprobe, join(folder, 'ffprobe'))
  await symlink(programs.ffmpeg, join(folder, 'ffmpeg'))

  const ready = await untilVideo('its end', ({ status }) => status !== 'processing')
  assert.deepEqual([ready.status, ready.status_reason], ['ready', null])
  await untilVideo('its poster', ({ thumbnails }) => thumbnails.length > 0)
  const jobs = server.output().stdout.match(/The job \S+ failed/g) ?? []
  assert.deepEqual(jobs, [])
})

test('the server has found it too', async () => {
  const reply = await until('another answer', async () => {
    const answer = await setPoster()
    return answer.status !== 503 && answer
  })
  assert.equal(reply.status, 200)
})
