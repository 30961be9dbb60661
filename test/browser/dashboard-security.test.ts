import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog, type Resource } from '@zoetrope/contract'
import type { Page } from 'playwright-core'
import { pages } from '../../packages/dashboard/src/app/pages.js'
import { type Endpoint, endpoints, makeTarget, perform, type Target } from '../api/access-targets.js'
import { makeClip } from '../support/clip.js'
import { goTo, problemsOf, settled } from '../support/dashboard.js'
import { withDashboard } from '../support/dashboard-tests.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { markup, planted, shorter, wickedUrls } from '../support/planted.js'

let owner: string
/** One record of each resource, with markup in every text, by the resource's key in the catalog. */
const records = new Map<string, string>()

const dashboard = withDashboard(async ({ api }) => {
  const worker = openWorker(api)
  const film = await uploadClip(api, await makeClip({ seconds: 1, size: '160x90' }), markup)
  records.set('videos', (await untilPrepared(api, film._id))._id)
  await worker.stop()
  owner = (await api.as('admin').consumers.create({ email: 'm@example.com', name: markup }))._id
  records.set('consumers', owner)
  return undefined
})

const keyOf = (resource: Resource) =>
  Object.entries(catalog).find(([, other]) => (other as Resource) === resource)?.[0] ?? ''
/** Whether a resource belongs to a video. Content rules are left out, because they would block viewers. */
const isInFilm = ({ within, name }: Resource) =>
  within === (catalog.videos as Resource) && !name.includes('rule')
const admin = () => ({ 'x-api-key': dashboard.api.channel.keys.admin })

/** Returns a target on which the endpoint succeeds. It uses the video and the zobject type that contain markup. */
async function targetFor(endpoint: Endpoint): Promise<Target> {
  const { api } = dashboard
  const target = await makeTarget(api, api.channel, endpoint, owner)
  const fields: Record<string, unknown> = { ...target.fields }
  if (endpoint.resource.name === 'zobject')
    fields.zobject_type = (await api.as('admin').zobject_types.get(idOf('zobject_types'))).title
  const id = records.get(keyOf(endpoint.resource)) ?? target.id
  const parentId = isInFilm(endpoint.resource) ? idOf('videos') : target.parentId
  return { ...target, id, parentId, fields: fields as Target['fields'] }
}

/** Sends markup in every field; fields that reject it get a valid value. Returns the record's id. */
async function plant(endpoint: Endpoint): Promise<string> {
  const target = await targetFor(endpoint)
  const fields = planted(endpoint.resource.fields)
  if (endpoint.resource.name === 'zobject') delete fields.zobject_type
  for (;;) {
    const sent = { ...target, fields: { ...target.fields, ...fields } as never }
    const { status, body } = await perform(dashboard.api, endpoint, sent, admin(), 'json')
    if (status < 300) return String(body.response._id ?? target.id)
    const complaints = Object.keys(body.errors ?? {})
    const refused = Object.keys(fields).filter((name) => complaints.some((at) => at.startsWith(name)))
    assert.ok(status === 422 && refused.length > 0, `${endpoint.path}: ${status} ${body.message}`)
    for (const name of refused) delete fields[name]
  }
}

const idOf = (key: string) => records.get(key) ?? ''
const isWriting = ({ name, resource }: Endpoint) =>
  Object.keys(planted(resource.fields)).length > 0 &&
  (records.has(keyOf(resource)) || resource.single ? name === 'update' : name === 'create')

test('markup is taken as text wherever a record has a text', async () => {
  const writing = endpoints.filter(isWriting)
  for (const endpoint of writing) records.set(keyOf(endpoint.resource), await plant(endpoint))
  assert.ok(writing.length > 25, `only ${writing.length} resources were written to`)
  const { playlist_id } = await dashboard.api.as('admin').feeds.get(idOf('feeds'))
  await dashboard.api.as('admin').playlists.addVideos(playlist_id, { video_id: [idOf('videos')] })
})

/** Returns the fields of a resource that hold one or more URLs. */
const addressFields = ({ fields }: Resource) =>
  Object.entries(fields).filter(([, field]) => {
    const held = field.kind === 'list' ? field.of : field
    return held.kind === 'text' && /url|redirect/.test(held.format ?? '') && !field.computed
  })

test('every URL field rejects URLs that would run a script', async () => {
  const updating = endpoints.filter(({ name, resource }) => name === 'update' && records.has(keyOf(resource)))
  assert.ok(updating.flatMap(({ resource }) => addressFields(resource)).length > 10)
  for (const endpoint of updating) {
    const target = await targetFor(endpoint)
    for (const [name, { kind }] of addressFields(endpoint.resource))
      for (const url of wickedUrls) {
        const fields = { ...target.fields, [name]: kind === 'list' ? [url] : url } as never
        const { status } = await perform(dashboard.api, endpoint, { ...target, fields }, admin(), 'json')
        assert.equal(status, 422, `${endpoint.resource.name}.${name}: ${url}`)
      }
  }
})

/** Returns markup that a page did not treat as text, and what the CSP or the browser blocked. */
async function tracesOn(page: Page): Promise<string[]> {
  const wicked = await page.evaluate<string[]>(`
    [...document.querySelectorAll('[src="x"], [onerror], [onload], [href], [action], iframe[src]')]
      .filter((node) => node.matches('[src="x"], [onerror], [onload]') ||
        ['href', 'action', 'src'].some((name) => /^\\s*(javascript|data:text)/i.test(node.getAttribute(name) ?? '')))
      .map((node) => node.outerHTML.slice(0, 200))`)
  // The images in the markup cannot load: there is no network.
  return [...wicked, ...problemsOf(page).filter((problem) => !problem.includes('ERR_NAME_NOT_RESOLVED'))]
}

/** Returns the text of a page and the values of its inputs. */
const shownOn = (page: Page) =>
  page.evaluate<string>(
    `document.body.innerText + [...document.querySelectorAll('input, textarea')].map(({ value }) => value).join(' ')`,
  )

/** Pages whose name differs from that of their resource. */
const otherNames: Readonly<Record<string, string>> = {
  passes: 'pass_plans',
  'audience-rules': 'content_rule_profiles',
}

/** Returns the paths of all dashboard pages, with the ids of the records that contain markup. */
const addresses = () =>
  pages
    .filter(({ isPublic }) => !isPublic)
    .map(({ path }) =>
      path
        .replace('$type', idOf('zobject_types'))
        .replace('/$id/subtitles/$subtitle', `/${idOf('videos')}/subtitles/${idOf('subtitles')}`)
        .replace(/^\/([\w-]+)(.*)\/\$id$/, (_all, name: string, between: string) => {
          const key = otherNames[name] ?? name.replaceAll('-', '_')
          return `/${name}${between}/${idOf(key)}`
        }),
    )

function alertsOn(page: Page): readonly string[] {
  const alerts: string[] = []
  page.on('dialog', (dialog) => {
    alerts.push(`${page.url()}: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return alerts
}

test('on no page of the dashboard does markup become more than text', async () => {
  const page = await dashboard.open('/', { userAgent: `Mozilla/5.0 ${shorter}` })
  const alerts = alertsOn(page)
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  for (const address of addresses()) {
    await goTo(page, address)
    const tabs = page.getByRole('tab')
    for (let index = 0; index < Math.max(1, await tabs.count()); index += 1) {
      if (await tabs.nth(index).count()) await tabs.nth(index).click()
      await settled(page)
      assert.deepEqual([...(await tracesOn(page)), ...alerts], [], `${address}, tab ${index}`)
    }
    assert.match(await shownOn(page), /alert\(/, address)
  }
  await page.context().close()
})

/** Returns the labels of the enabled submit buttons. */
const sendable = (page: Page) =>
  page
    .locator('main form [type=submit]:enabled')
    .evaluateAll((buttons) => buttons.map((button) => button.textContent))

test('a viewer is offered nothing on any page that the server would refuse', async () => {
  const page = await dashboard.open('/', { role: 'viewer' })
  const refused: string[] = []
  page.on('response', (reply) => {
    if (reply.status() === 403) refused.push(reply.url())
  })
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  const led = page.getByRole('navigation').getByRole('link')
  for (const name of ['API keys', 'Apps', 'Request log', 'Status', 'Team'])
    assert.equal(await led.filter({ hasText: name }).count(), 0, name)
  const isClosed = (address: string) =>
    address.endsWith('/new') ||
    pages.some(({ path, needs }) => needs && address.startsWith(path.replace('/$id', '')))
  const forNew = pages
    .filter(({ path }) => path.endsWith('/$id') && path !== '/videos/$id')
    .map(({ path }) => path.replace('$type', idOf('zobject_types')).replace('$id', 'new'))
  for (const address of [...addresses(), ...forNew]) {
    await goTo(page, address)
    const told = await page.getByRole('heading', { name: 'Your role (Guest) does not allow this' }).count()
    assert.equal(told, isClosed(address) ? 1 : 0, address)
    if (address !== '/account') assert.deepEqual(await sendable(page), [], address)
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, address)
    assert.deepEqual([...refused, ...(await tracesOn(page))], [], address)
  }
  await page.context().close()
})

/** Returns the part of a CSP that applies to scripts. */
const scriptsOf = (policy = '') =>
  (/script-src [^;]*/.exec(policy) ?? /default-src 'none'/.exec(policy))?.[0] ?? ''

test('nor does it on the pages that viewers see, nor in feeds', async () => {
  const { api, browser } = dashboard
  const { keys } = api.channel
  const { apps, feed_keys } = api.as('admin')
  const redirect_uri = 'https://app.example/back'
  const { client_id } = await apps.update(idOf('apps'), {
    redirect_uris: [redirect_uri],
    public_client: true,
  })
  const feed = await feed_keys.create(idOf('feeds'), { name: markup })
  const asked = new URLSearchParams({ response_type: 'code', client_id, redirect_uri, state: markup })
  asked.set('code_challenge', 'a'.repeat(43))
  asked.set('code_challenge_method', 'S256')
  const film = `${idOf('videos')}?api_key=${keys.player}`
  const page = await (await browser.newContext()).newPage()
  const alerts = alertsOn(page)
  for (const address of [
    `/embed/${film.replace('?', '.html?')}`,
    `/watch/${film}`,
    `/oauth/authorize?${asked}`,
    `/link?pin=${encodeURIComponent(markup)}`,
    `/forgot-password?${asked}`,
    `/oembed?url=${encodeURIComponent(`${api.url}/watch/${film}`)}`,
    feed.mrss_url?.replace(api.url, ''),
    feed.rss_url?.replace(api.url, ''),
    feed.json_url?.replace(api.url, ''),
  ]) {
    const answer = await page.goto(`${api.url}${address}`)
    assert.equal(answer?.status(), 200, address)
    assert.match(await page.content(), /alert(\(|%28)/, address)
    assert.deepEqual([...(await tracesOn(page)), ...alerts], [], address)
    if (/html/.test(answer?.headers()['content-type'] ?? ''))
      assert.doesNotMatch(scriptsOf(answer?.headers()['content-security-policy']), /unsafe|^$/, address)
  }
  await page.context().close()
})
