/** nginx with the additions of the guide serves a film to many viewers, and asks the server once for each part. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { globalPlan } from '../api/access-targets-money.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { type Nginx, nginxIsMissing, startNginx } from '../support/nginx.js'
import { arriving, callsThrough } from '../support/nginx-calls.js'

const skip = nginxIsMissing()
const viewers = 20

let api: TestApi
let nginx: Nginx
before(async () => {
  if (skip) return
  api = await startOwnApi({ trustedProxies: ['127.0.0.1'] })
  nginx = await startNginx(api.url, { isCache: true })
})
after(async () => {
  await nginx?.stop()
  await api?.stop()
})

const { ask } = callsThrough(() => nginx)

/** The paths that a playlist names, without the host. */
async function readPlaylist(path: string): Promise<readonly string[]> {
  const answer = await ask('GET', path)
  assert.equal(answer.status, 200, answer.body.toString())
  const names = [...String(answer.body).matchAll(/URI="([^"]+)"|^([^#\s].*)$/gm)]
  return names.map(([, inTag, line]) => new URL(inTag ?? line ?? '', nginx.url + path).pathname)
}

/** Reads a film as a player does: the playlists, then all parts of its first size. Returns what the cache said of each part. */
async function watch(id: string, credential: string): Promise<readonly string[]> {
  const [track = ''] = (await readPlaylist(`/manifest/${id}.m3u8?${credential}`)).filter((path) =>
    /\/hls_[^/]+\/index\.m3u8$/.test(path),
  )
  const parts = await readPlaylist(track)
  assert.ok(parts.length > 1, track)
  const answers = await Promise.all(parts.map((path) => ask('GET', path)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  return answers.map(({ headers }) => String(headers['x-cache']))
}

test('one viewer fetches a film from the server, and all others from the cache', { skip }, async (t) => {
  t.after(openWorker(api).stop)
  const { _id } = await uploadClip(api, await makeClip(), 'Harbour')
  assert.equal((await untilPrepared(api, _id)).status, 'ready')
  const [player, admin] = [`api_key=${api.channel.keys.player}`, `api_key=${api.channel.keys.admin}`]
  const first = await watch(_id, player)

  const asked = await arriving(async (requests) => {
    const others = await Promise.all(Array.from({ length: viewers - 1 }, () => watch(_id, player)))
    assert.deepEqual([...new Set(others.flat())], ['HIT'])
    return requests.map(({ url }) => url ?? '')
  })

  assert.deepEqual([...new Set(first)], ['MISS'])
  assert.deepEqual(
    asked.filter((url) => !url.includes('.m3u8')),
    [],
  )
  // An administrator also sees hidden films: nobody else may get what was sent to them.
  await watch(_id, admin)
  assert.ok(!(await watch(_id, admin)).includes('HIT'))
})

test('so do subscribers if their channel wants it, each with a playlist of their own', {
  skip,
}, async (t) => {
  t.after(openWorker(api).stop)
  const { account, videos, plans, subscriptions } = api.as('admin')
  await account.update({ shared_segments: true })
  const { _id } = await uploadClip(api, await makeClip(), 'For subscribers')
  assert.equal((await untilPrepared(api, _id)).status, 'ready')
  await videos.update(_id, { subscription_required: true })
  const { _id: plan_id } = await plans.create(globalPlan)
  const consumers = await Promise.all(Array.from({ length: 8 }, () => api.channel.consumer()))
  for (const consumer of consumers) await subscriptions.create({ consumer_id: consumer._id, plan_id })
  const [first = '', ...others] = consumers.map(({ access_token }) => `access_token=${access_token}`)
  assert.deepEqual([...new Set(await watch(_id, first))], ['MISS'])

  const asked = await arriving(async (requests) => {
    const said = await Promise.all(others.map((credential) => watch(_id, credential)))
    assert.deepEqual([...new Set(said.flat())], ['HIT'])
    return requests.map(({ url }) => url ?? '')
  })

  const playlists = asked.filter((url) => url.startsWith('/media/'))
  assert.equal(new Set(playlists).size, others.length, 'every viewer has a playlist of their own')
  assert.deepEqual(
    asked.filter((url) => !url.includes('.m3u8')),
    [],
  )
  const stranger = await ask('GET', `/manifest/${_id}.m3u8?api_key=${api.channel.keys.player}`)
  assert.equal(stranger.status, 403)
})
