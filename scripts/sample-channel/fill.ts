import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { newId } from '../../packages/server/src/lib/object-id.js'
import type { TestApi } from '../../test/support/api.js'
import { openWorker, untilPrepared, uploadClip } from '../../test/support/media.js'
import { addPublisher, welcomeLink } from '../../test/support/publishers.js'
import { addExchange, addGuide, type Shown } from './exchange.js'
import { emailOf, people, scenes } from './harbour.js'
import { filmScenes } from './scenes.js'

const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()

const spoken = {
  en: [
    'Somebody has to stay awake.',
    'The lamp is older than my\ngrandmother.',
    'In winter the <i>boat</i> comes once a month,',
    'if it comes.',
    'You learn to like your own company, and the radio, and the sound of nobody at all.',
    'Then there is a light out there, and it answers.',
  ],
  fr: ['Il faut bien que quelqu’un veille.', 'La lampe est plus vieille que ma grand-mère.'],
}

/** Fills a channel as it may look after a month. */
export async function fillChannel(api: TestApi, browser: Browser): Promise<Shown> {
  await api.as('admin').account.update({ title: 'Harbour Films' })
  const films = await addFilms(api, browser)
  const library = await addLibrary(api, films)
  const viewers = await addViewers(api, films, library)
  await addTeam(api)
  await addPlays(api, films)
  const [subtitle] = (await api.as('admin').subtitles.list(films[2] ?? '', { language: 'en' })).response
  return { videos: films[2] ?? '', subtitle: subtitle?._id ?? '', ...library, ...viewers }
}

async function addFilms(api: TestApi, browser: Browser): Promise<string[]> {
  const { videos, subtitles, segments } = api.as('admin')
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-scenes-'))
  const worker = openWorker(api)
  const ids: string[] = []
  for (const [index, film] of (await filmScenes(browser, scenes, folder)).entries()) {
    const { _id } = await uploadClip(api, film, scenes[index]?.title ?? '')
    await untilPrepared(api, _id)
    ids.push(_id)
  }
  for (let tries = 0; tries < 600 && !(await areComplete(api)); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 200))
  await worker.stop()
  await rm(folder, { recursive: true })
  const [walk = '', train = '', lighthouse = '', , stars = ''] = ids
  await videos.update(walk, { keywords: ['harbour', 'boats'], genre: 'Documentary', country: 'Norway' })
  await videos.update(train, { active: false, internal_title: 'Waiting for the music rights' })
  await videos.update(stars, { subscription_required: true, disable_at: inDays(4) })
  await videos.update(lighthouse, {
    description:
      'A year on the rock with Ingrid Solberg, who lights the last lamp on the coast that is still lit by hand.',
    short_description: 'A year on the rock.',
    keywords: ['lighthouse', 'coast', 'portrait'],
    genre: 'Documentary',
    language: 'en',
    purchase_required: true,
    purchase_price: '4.99',
  })
  for (const [at, description] of ['The crossing', 'First storm', 'Light'].entries())
    await segments.create(lighthouse, { description, start: at * 2500 })
  for (const [language, lines] of Object.entries(spoken)) {
    const time = (second: number) => `00:00:${String(second).padStart(2, '0')},000`
    const cues = lines.map((line, at) => `${time(at * 2)} --> ${time(at * 2 + 2)}\n${line}\n`)
    await subtitles.create(lighthouse, { language, file: Buffer.from(cues.join('\n')).toString('base64') })
  }
  await videos.create({ title: 'Boats of the north, part 2', active: false })
  return ids
}

async function areComplete({ database: { db } }: TestApi): Promise<boolean> {
  const rows = await db`select from videos where status <> 'ready' or complete_at is null limit 1`
  return rows.length === 0
}

async function addLibrary(api: TestApi, films: readonly string[]): Promise<Shown> {
  const admin = api.as('admin')
  const { _id: genre } = await admin.categories.create({
    title: 'Genre',
    values: ['Documentary', 'Fiction', 'Slow TV'],
  })
  await admin.categories.create({ title: 'Region', values: ['Coast', 'Mountains', 'Cities'] })
  const { _id: shelf } = await admin.playlists.create({
    title: 'Start page',
    description: 'What the apps show first.',
  })
  const { _id: playlist } = await admin.playlists.create({
    title: 'By the sea',
    parent_id: shelf,
    description: 'Films with salt in them.',
  })
  await admin.playlists.addVideos(playlist, {
    video_id: [films[0], films[2], films[4], films[5]] as string[],
  })
  await admin.playlists.create({ title: 'For long evenings', parent_id: shelf })
  await admin.playlists.create({
    title: 'New this month',
    parent_id: shelf,
    playlist_type: 'category',
    categories: [{ category_id: genre, value: ['Documentary'] }],
  })
  const attributes = [
    { field_name: 'role', field_type: 'string', description: 'What they are known for.', show_list: true },
    { field_name: 'born', field_type: 'date', description: 'The day of birth.' },
    { field_name: 'page', field_type: 'url', description: 'Where to read more.' },
  ] as const
  const type = await admin.zobject_types.create({
    title: 'People',
    description: 'Who made a film, or is in it.',
    zobject_attributes_attributes: [...attributes],
  })
  const made: string[] = []
  for (const [index, title] of people.slice(3, 7).entries()) {
    const role = ['Lighthouse keeper', 'Director', 'Camera', 'Music'][index]
    made.push(
      (await admin.zobjects.create({ zobject_type: type.title, title, active: true, role } as never))._id,
    )
  }
  const { _id: plan } = await admin.plans.create({
    name: 'Harbour pass',
    description: 'Every film, on every screen.',
    active: true,
    amount: '6.90',
    currency: 'EUR',
    interval: 'month',
    interval_count: 1,
    entitlement_type: 'global',
    trial_period_days: 14,
  })
  await admin.plans.create({
    name: 'A year of harbour',
    active: true,
    amount: '69.00',
    currency: 'EUR',
    interval: 'year',
    interval_count: 1,
    entitlement_type: 'global',
  })
  const { _id: pass } = await admin.pass_plans.create({
    name: 'Festival weekend',
    description: 'Everything from Friday to Sunday.',
    amount: '9.50',
    currency: 'EUR',
    duration: 3,
  })
  const { _id: adTag } = await admin.ad_tags.create({
    name: 'Before the film',
    _type: 'AdTag::Vast',
    tag: 'https://ads.example.com/vast?slot=preroll',
    interval_count: 3,
  })
  const { _id: rules } = await admin.content_rule_profiles.create({
    title: 'Northern Europe only',
    description: 'What the distributor allows.',
    content_rules_attributes: [
      { name: 'Where we have the rights', policy: 'allow', priority: 2, countries: ['DE', 'FR', 'NL', 'DK'] },
      {
        name: 'Not on the site of the festival',
        policy: 'deny',
        priority: 1,
        domains: ['festival.example.com'],
      },
    ],
  })
  await admin.content_rule_profiles.create({ title: 'Everywhere', is_default_profile: true })
  return {
    'audience-rules': rules,
    playlists: playlist,
    categories: genre,
    'zobject-types': type._id,
    zobjects: made[0] ?? '',
    plans: plan,
    passes: pass,
    'ad-tags': adTag,
    'program-guides': await addGuide(api),
    ...(await addExchange(api, playlist)),
  }
}

async function addViewers(api: TestApi, films: readonly string[], library: Shown): Promise<Shown> {
  const admin = api.as('admin')
  const [plan_id = '', pass_plan_id = ''] = [library.plans, library.passes]
  const ids: string[] = []
  for (const name of people)
    ids.push((await admin.consumers.create({ email: emailOf(name), name, terms: true }))._id)
  const [first = ''] = ids
  const subscriptions: string[] = []
  for (const [index, consumer_id] of ids.slice(0, 6).entries()) {
    const current_period_end_at = inDays(3 + index * 4)
    const payment_provider = (['stripe', 'roku', 'stripe', 'google_play'] as const)[index % 4]
    subscriptions.push(
      (await admin.subscriptions.create({ consumer_id, plan_id, payment_provider, current_period_end_at }))
        ._id,
    )
  }
  await admin.subscriptions.cancel(subscriptions[3] ?? '')
  const bought = (consumer_id: string, what: object) =>
    admin.transactions.create({ consumer_id, provider: 'stripe', currency: 'EUR', ...what })
  const { _id: transaction } = await bought(first, {
    transaction_type: 'purchase',
    video_id: films[2],
    amount: '4.99',
  })
  await bought(ids[4] ?? '', { transaction_type: 'pass', pass_plan_id, amount: '9.50' })
  for (const video_id of films.slice(0, 3)) await admin.video_favorites.create(first, { video_id })
  await admin.redemption_codes.bulkCreate({ amount: 6, plan_id })
  const { _id: code } = await admin.redemption_codes.create({ code: 'HARBOUR-26', pass_plan_id })
  const { _id: app } = await admin.apps.create({
    title: 'Living room',
    version: '3.2.0',
    first_page: 1,
  })
  await admin.apps.create({ title: 'Phones and tablets', version: '3.1.4', public_client: true })
  return {
    consumers: first,
    subscriptions: subscriptions[0] ?? '',
    transactions: transaction,
    'redemption-codes': code,
    apps: app,
  }
}

async function addTeam(api: TestApi): Promise<void> {
  for (const [index, role] of (['editor', 'viewer'] as const).entries()) {
    const name = people[index + 7] ?? ''
    const [first_name = '', last_name = ''] = name.split(' ')
    const { _id } = await addPublisher(api, [api.channel, role])
    const known = {
      email: emailOf(name),
      first_name,
      last_name,
      last_sign_in_at: new Date(Date.now() - day * (index + 1)),
    }
    await api.database.db`update publishers set ${api.database.db(known)} where _id = ${_id}`
  }
}

/** Gives the owner who signed in last the name that the screenshots show. */
export async function nameOwner({ database: { db } }: TestApi): Promise<void> {
  const owner = { email: 'astrid.lund@example.com', first_name: 'Astrid', last_name: 'Lund' }
  await db`delete from publishers where email = ${owner.email}`
  await db`
    update publishers set ${db(owner)}
    where _id = (select publisher_id from publisher_sessions order by created_at desc limit 1)
  `
}

/** Returns the sign-in link of a first publisher, as right after the installation. */
export async function linkOfWelcome(api: TestApi): Promise<string> {
  const { db } = api.database
  const email = 'publisher@example.com'
  await db`delete from publishers where email = ${email}`
  const first = await addPublisher(api)
  await db`update publishers set email = ${email} where _id = ${first._id}`
  return (await welcomeLink(api, first)) ?? ''
}

/** Adds four weeks of plays, more at weekends, and recent requests of apps. */
async function addPlays({ database: { db }, channel }: TestApi, films: readonly string[]): Promise<void> {
  const site_id = channel.channel._id
  const today = new Date(new Date().toISOString().slice(0, 10)).getTime()
  for (let ago = 0; ago < 28; ago += 1)
    for (const [index, video_id] of films.entries()) {
      const date = new Date(today - ago * day)
      const plays = Math.round(
        (30 - ago * 0.6 + (date.getUTCDay() % 6 === 0 ? 22 : 0) + ((ago * 7 + index * 5) % 11)) / (index + 1),
      )
      const device = ['tv', 'phone', 'computer'][index % 3] ?? 'tv'
      await db`
        insert into plays (_id, site_id, video_id, date, device, plays, finished, watched_seconds)
        values (${newId()}, ${site_id}, ${video_id}, ${date}, ${device}, ${plays}, ${Math.round(plays * 0.6)}, ${plays * 640})
      `
    }
  const asked = [
    ['GET', '/videos', 200, 4, 'app'],
    ['GET', '/playlists', 200, 3, 'app'],
    ['POST', '/oauth/token', 200, 61, 'app'],
    ['PUT', `/videos/${films[0]}`, 200, 9, 'admin'],
    ['GET', `/videos/${newId()}`, 404, 2, 'read_only'],
    ['POST', '/subscriptions', 422, 5, 'admin'],
    ['GET', `/videos/${films[2]}/player`, 200, 6, 'player'],
  ] as const
  for (let index = 23; index >= 0; index -= 1) {
    const [method, path, status, ms, credential] = asked[index % asked.length] ?? asked[0]
    await db`
      insert into request_log (_id, site_id, created_at, method, path, status, ms, credential, request_id)
      values (${newId()}, ${site_id}, ${new Date(Date.now() - index * 73_000)}, ${method}, ${path}, ${status}, ${ms + (index % 3)},
        ${credential}, ${`9f2c41d07be3-${(index + 40).toString(36)}`})
    `
  }
}
