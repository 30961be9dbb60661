import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startApi, type TestApi } from '../support/api.js'
import { note } from '../support/secrets.js'
import { globalPlan } from './access-targets-money.js'
import { open, type Seen, submit } from './login-forms.js'

let api: TestApi
let id: string
before(async () => {
  api = await startApi()
  id = (await api.as('admin').videos.create({ title: 'Harbour', subscription_required: true }))._id
})
beforeEach(() => api.database.db`truncate attempts`)
after(() => api.stop())

const password = 'a boat in the harbour'
note(password)
const email = 'ada@example.com'

const page = () => `${api.url}/watch/${id}`
const signIn = (fields: Readonly<Record<string, string>>, headers = {}) =>
  submit(`${page()}/sign-in`, fields, headers)

/** The cookie that a response sets, as a browser sends it. */
function cookieOf({ headers }: Seen): string {
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
  note(cookie.split('=')[1] ?? '')
  return cookie
}

const opened = (cookie: string) => open(page(), { headers: { cookie } })

/** A subscriber with this address, and the plan. */
async function subscriber(address: string): Promise<string> {
  const { consumers, plans, subscriptions } = api.as('admin')
  const { _id } = await consumers.create({ email: address, password })
  const plan = await plans.create(globalPlan)
  await subscriptions.create({ consumer_id: _id, plan_id: plan._id })
  return _id
}

test('a share page of a video for subscribers has a form to sign in, and the plans with their prices', async () => {
  const { plans, playlists } = api.as('admin')
  const other = await playlists.create({ title: 'Another one' })
  const made = [
    await plans.create({ ...globalPlan, name: 'All "films"', trial_period_days: 7 }),
    await plans.create({ ...globalPlan, name: 'A whole year', amount: '49', interval: 'year' }),
    await plans.create({ ...globalPlan, name: 'Not offered', active: false }),
    await plans.create({
      ...globalPlan,
      name: 'Other films',
      entitlement_type: 'tiered',
      playlist_ids: [other._id],
    }),
  ]
  const { status, text, headers } = await open(page())
  assert.equal(status, 403)
  for (const part of [
    '<label for="email">E-mail address</label>',
    `action="/watch/harbour-${id}/sign-in"`,
    `/forgot-password?channel=${api.channel.channel._id}`,
    '<b>All &quot;films&quot;</b> <span>$4.90 a month, after 7 days free</span>',
    '<b>A whole year</b> <span>$49.00 a year</span>',
    '<p>Ask One how to subscribe.</p>',
  ])
    assert.ok(text.includes(part), part)
  assert.equal(/Not offered|Other films|<script/.test(text), false)
  assert.match(
    headers.get('content-security-policy') ?? '',
    /^default-src 'none'; .*form-action 'self'; frame-ancestors 'self'$/,
  )
  const { text: timed } = await open(`${page()}?t=90`)
  assert.ok(timed.includes(`/sign-in?start=90"`))

  await api.as('admin').account.update({ sign_in_url: 'https://films.example/sign-in' })
  assert.equal((await open(page())).text.includes('<form'), false)
  await api.as('admin').account.update({ sign_in_url: null })
  for (const { _id } of made) await plans.update(_id, { active: false })
})

test('a wrong password is explained at the form, and nothing is remembered', async () => {
  await api.as('admin').consumers.create({ email, password })
  for (const [fields, status, message] of [
    [{ email, password: 'wrong' }, 401, 'The e-mail address or the password is wrong.'],
    [{ email: 'nobody@example.com', password }, 401, 'The e-mail address or the password is wrong.'],
    [{ email, password: '' }, 422, 'Type your e-mail address and your password.'],
  ] as const) {
    const seen = await signIn(fields)
    assert.equal(seen.status, status)
    assert.ok(seen.text.includes(`<p class="wrong" role="alert" id="problem">${message}</p>`))
    assert.match(seen.text, /<title>Error: /)
    assert.match(seen.text, /name="password"[^>]* aria-invalid="true" aria-describedby="problem"/)
    assert.ok(seen.text.includes(`value="${fields.email}"`))
    assert.equal(seen.headers.get('set-cookie'), null)
    assert.equal(seen.text.includes(password), false)
  }
})

test('a subscriber signs in on the share page, watches, and signs out', async () => {
  const consumerId = await subscriber('sub@example.com')
  const entered = await signIn({ email: ' Sub@example.com', password })
  assert.deepEqual([entered.status, entered.location], [303, `/watch/${id}`])
  assert.match(
    entered.headers.get('set-cookie') ?? '',
    new RegExp(
      `^zoetrope_viewer_${api.channel.channel._id}=[0-9a-f]{64}; Path=/watch; Max-Age=\\d+; HttpOnly; SameSite=Lax$`,
    ),
  )
  const cookie = cookieOf(entered)
  const watched = await opened(cookie)
  assert.equal(watched.status, 200)
  assert.ok(watched.text.includes('Signed in as <bdi>sub@example.com</bdi>'))
  assert.equal(watched.text.includes(cookie.split('=')[1] ?? ''), false)
  assert.equal(watched.headers.get('cache-control'), 'private, no-store')

  const { response } = await api.as('admin').sessions.list(consumerId)
  assert.deepEqual(
    response.map(({ app_id, app_title }) => [app_id, app_title]),
    [[null, 'Share pages']],
  )
  // The cookie is of no use outside the share pages.
  const token = cookie.split('=')[1]
  assert.equal((await fetch(`${api.url}/videos?access_token=${token}`)).status, 401)
  assert.equal((await open(`${api.url}/embed/${id}.html?access_token=${token}`)).status, 401)

  const left = await submit(`${page()}/sign-out`, {}, { cookie })
  assert.equal(left.status, 303)
  assert.match(left.headers.get('set-cookie') ?? '', /=; Path=\/watch; Max-Age=0;/)
  assert.equal((await opened(cookie)).status, 403)
  assert.equal((await api.as('admin').sessions.list(consumerId)).response.length, 0)
})

test('a viewer without a subscription is told who is signed in, and can sign out', async () => {
  await api.as('admin').consumers.create({ email: 'free@example.com', password })
  const { status, text } = await opened(cookieOf(await signIn({ email: 'free@example.com', password })))
  assert.equal(status, 403)
  assert.ok(text.includes('Signed in as <bdi>free@example.com</bdi>'))
  assert.ok(text.includes(`action="/watch/harbour-${id}/sign-out"`))
  assert.equal(text.includes('name="password"'), false)
})

test('ending the sessions of a consumer, or changing the password, ends the one on share pages', async () => {
  const consumerId = await subscriber('ended@example.com')
  const { consumers } = api.as('admin')
  const first = cookieOf(await signIn({ email: 'ended@example.com', password }))
  assert.equal((await opened(first)).status, 200)
  await consumers.endSessions(consumerId)
  assert.equal((await opened(first)).status, 403)
  const second = cookieOf(await signIn({ email: 'ended@example.com', password }))
  assert.equal((await opened(second)).status, 200)
  await consumers.update(consumerId, { password: `${password}, and another` })
  assert.equal((await opened(second)).status, 403)
})

test('a session of one channel opens no share page of another', async () => {
  const theirs = await api.other.as('admin').videos.create({ title: 'Theirs', registration_required: true })
  await subscriber('here@example.com')
  const cookie = cookieOf(await signIn({ email: 'here@example.com', password }))
  const moved = cookie.replace(api.channel.channel._id, api.other.channel._id)
  const statuses = [cookie, moved].map(async (each) => {
    const { status } = await open(`${api.url}/watch/${theirs._id}`, { headers: { cookie: each } })
    return status
  })
  assert.deepEqual(await Promise.all(statuses), [403, 403])
})

test('forms of other sites are refused, and their scripts read nothing', async () => {
  await subscriber('careful@example.com')
  const fields = { email: 'careful@example.com', password }
  const foreign: Readonly<Record<string, string>>[] = [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ]
  for (const headers of foreign) {
    const seen = await signIn(fields, headers)
    assert.deepEqual([seen.status, seen.headers.get('set-cookie')], [403, null])
    assert.equal((await submit(`${page()}/sign-out`, {}, headers)).status, 403)
  }
  assert.equal((await signIn(fields, { origin: api.url })).status, 303)
  const read = await open(page(), { headers: { origin: 'https://evil.example' } })
  assert.equal(read.headers.get('access-control-allow-credentials'), null)
  assert.equal((await open(`${page()}/sign-in`)).location, `/watch/${id}`)
  assert.equal((await open(`${page()}/sign-in`, { method: 'DELETE' })).status, 405)
})

test('guessing a password on a share page is limited as elsewhere', async () => {
  await api.as('admin').consumers.create({ email: 'guessed@example.com', password })
  const statuses: number[] = []
  for (let tries = 0; tries < 11; tries += 1)
    statuses.push((await signIn({ email: 'guessed@example.com', password: `guess ${tries}` })).status)
  assert.deepEqual(new Set(statuses.slice(0, 10)), new Set([401]))
  const stopped = await signIn({ email: 'guessed@example.com', password })
  assert.equal(stopped.status, 429)
  assert.ok(Number(stopped.headers.get('retry-after')) > 0)
  assert.match(stopped.text, /Too many attempts\. Try again in/)
})

test('where addresses have to be confirmed, the form says so', async () => {
  const { account } = api.as('admin')
  await account.update({ verify_email: true })
  await api.as('app').consumers.create({ email: 'unconfirmed@example.com', password })
  const seen = await signIn({ email: 'unconfirmed@example.com', password })
  assert.equal(seen.status, 403)
  assert.match(seen.text, /Confirm your e-mail address first/)
  await account.update({ verify_email: false })
})
