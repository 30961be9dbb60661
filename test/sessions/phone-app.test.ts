import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Reply } from '../api/ask.js'
import { note } from '../support/secrets.js'
import { ask, formType, looseForm, type PlayerData, type Stage, setStage, watch } from './stage.js'

/*
 * A phone app, half of it a web view: the app key in a header or in a form, forms with nothing escaped and an ampersand
 * at the end, `.json` behind paths, other verbs inside a POST, and requests that a browser asks permission for.
 */

let stage: Stage
let url: string
before(async () => {
  stage = await setStage()
  url = stage.api.url
})
after(() => stage.api.stop())

const origin = 'https://m.channel.example'
const appKey = () => stage.api.channel.app_key
const read = (path: string, headers: Record<string, string> = { 'x-zype-app-key': appKey() }) =>
  ask(`${url}${path}`, 'json', { headers: { origin, ...headers } })

const submit = (path: string, fields: Readonly<Record<string, string>>): Promise<Reply> =>
  ask(`${url}${path}`, 'json', {
    method: 'POST',
    headers: { origin, 'content-type': `${formType}; charset=UTF-8` },
    body: looseForm(fields),
  })

const email = 'jane.doe@example.com'
const password = 'p@ss word/100% sure?'
note(password)
let viewer: string
let tokens: { readonly access_token: string; readonly refresh_token: string }

test('a browser may call from any page, also with credentials', async () => {
  for (const path of ['/consumers', '/videos', '/oauth/token', `/embed/${stage.film}.json`]) {
    const reply = await fetch(url + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'x-zype-app-key, content-type, authorization',
      },
    })
    assert.ok(reply.status < 300, path)
    assert.equal(reply.headers.get('access-control-allow-origin'), origin)
    assert.equal(reply.headers.get('access-control-allow-credentials'), 'true')
    assert.match(reply.headers.get('access-control-allow-headers') ?? '', /x-zype-app-key/i)
  }
})

test('a viewer signs up and signs in', async () => {
  const made = await submit('/consumers.json', {
    app_key: appKey(),
    'consumer[email]': email,
    'consumer[name]': 'Jane Doe',
    'consumer[password]': password,
    'consumer[password_confirmation]': password,
    'consumer[terms]': 'true',
    'consumer[birthday]': '',
  })
  assert.equal(made.status, 201, made.body.message)
  const { _id, name, terms, birthday } = made.body.response
  assert.deepEqual([name, terms, birthday], ['Jane Doe', true, null])
  viewer = String(_id)

  const wrong = await submit('/oauth/token', {
    ...client(),
    grant_type: 'password',
    username: email,
    password: 'no',
  })
  assert.equal(wrong.status, 401)
  assert.equal((wrong.body as unknown as { error: string }).error, 'invalid_grant')
  assert.equal(wrong.headers.get('access-control-allow-origin'), origin)
  const right = await submit('/oauth/token', {
    ...client(),
    grant_type: 'password',
    username: email,
    password,
  })
  assert.equal(right.status, 200, right.text)
  tokens = right.body as unknown as typeof tokens
})

const client = () => ({
  client_id: stage.api.channel.app.client_id,
  client_secret: stage.api.channel.app.client_secret,
})
const bearer = () => ({ authorization: `Bearer ${tokens.access_token}` })

test('the catalogue is browsed and searched, with filters that are sent empty', async () => {
  const admin = stage.api.as('admin')
  const genre = await admin.categories.create({ title: 'Genre', values: ['Drama', 'Sea'] })
  await admin.videos.update(stage.film, {
    categories_attributes: [{ category_id: genre._id, value: ['Sea'] }],
  })
  const type = await admin.zobject_types.create({
    title: 'actor',
    zobject_attributes_attributes: [{ field_name: 'born', field_type: 'integer' }],
  } as never)
  const actor = await admin.zobjects.create({
    zobject_type: type.title,
    title: 'Ada',
    active: true,
    born: 1980,
  } as never)
  await admin.zobjects.addVideos(actor._id, { zobject_type: type.title, video_id: [stage.film] })

  for (const query of [
    'category[Genre]=Sea&active=true&sort=published_at&order=desc&page=1&per_page=20&title=&id=',
    `zobject_id=${actor._id}&category=&playlist_id=`,
    'q=harbour&page=1',
    `id[]=${stage.film}`,
    `playlist_id.inclusive=${stage.featured}&id!=${stage.premiere}`,
  ]) {
    const { status, headers, body } = await read(`/videos.json?${query}`)
    assert.equal(status, 200, body.message)
    assert.deepEqual(
      body.response.map(({ title }) => title),
      ['Harbour'],
      query,
    )
    const ignored = query.endsWith('&playlist_id=') ? /^"playlist_id" was ignored: / : /^$/
    assert.match(headers.get('x-notice') ?? '', ignored, query)
  }
  const cast = await read(`/zobjects/?zobject_type=actor&video_id=${stage.film}`)
  assert.deepEqual(
    cast.body.response.map(({ title, born }) => [title, born]),
    [['Ada', 1980]],
  )
  const slim = await read(`/videos/${stage.film}.json?response_fields=title,duration`)
  assert.deepEqual(slim.body.response, { _id: stage.film, title: 'Harbour', duration: 2 })
})

test('the viewer changes their record, rates, and redeems a code that opens a film', async () => {
  const changed = await ask(
    `${url}/consumers/${viewer}/?consumer[name]=Jane%20D.&consumer[updates]=1`,
    'json',
    {
      method: 'PUT',
      headers: { origin, ...bearer(), 'content-type': 'application/json' },
    },
  )
  assert.deepEqual(
    [changed.status, changed.body.response?.name, changed.body.response?.updates],
    [200, 'Jane D.', true],
  )
  const rated = await submit(`/consumers/${viewer}/video_ratings`, {
    access_token: tokens.access_token,
    video_id: stage.film,
    rating: '4.5',
  })
  assert.deepEqual([rated.status, rated.body.response?.rating], [201, 4.5], rated.body.message)

  const paid = await stage.api.as('admin').videos.create({ title: 'Sold', purchase_required: true })
  const { code } = await stage.api.as('admin').redemption_codes.create({ video_id: paid._id })
  assert.equal((await read(`/videos/${paid._id}/entitled`, bearer())).status, 422)
  const redeemed = await submit('/redemption_codes/redeem', {
    access_token: tokens.access_token,
    code: code ?? '',
  })
  assert.ok(redeemed.status < 300, redeemed.body.message)
  assert.equal((await read(`/videos/${paid._id}/entitled`, bearer())).status, 200)
  const own = await read('/consumer/videos/?sort=created_at&order=desc&page=1', bearer())
  assert.deepEqual(
    own.body.response.map(({ video_id }) => video_id),
    [paid._id],
  )
})

test('a film plays with the app key, and with the token after it was renewed', async () => {
  const renewed = await submit('/oauth/token/', {
    ...client(),
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
  })
  assert.equal(renewed.status, 200, renewed.text)
  tokens = renewed.body as unknown as typeof tokens
  for (const credential of [`app_key=${appKey()}`, `access_token=${tokens.access_token}`]) {
    const { body } = await read(
      `/embed/${stage.film}.json?${credential}&player_type=custom&download=false`,
      {},
    )
    const { outputs } = (body.response as unknown as PlayerData).body
    assert.ok((await watch(outputs.find(({ name }) => name === 'hls' || name === 'm3u8')?.url ?? '')) > 1000)
  }
  const ended = await submit('/oauth/revoke', { ...client(), token: tokens.access_token })
  assert.equal(ended.status, 200)
  assert.equal((await read(`/consumers/${viewer}`, bearer())).status, 401)
})

test('a forgotten password is asked for with the verb inside a POST', async () => {
  const asked = await submit('/consumers/forgot_password', { _method: 'put', app_key: appKey(), email })
  assert.equal(asked.status, 200, asked.body.message)
})
