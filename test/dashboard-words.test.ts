/** Texts of the dashboard that a function chooses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Catalog, catalog, type Resource, shownFields } from '@zoetrope/contract'
import { accountWords } from '@zoetrope/contract/words/account'
import { appWords } from '@zoetrope/contract/words/apps'
import { consumerWords } from '@zoetrope/contract/words/consumers'
import { contentRuleProfileWords, contentRuleWords } from '@zoetrope/contract/words/content-rules'
import type { Words } from '@zoetrope/contract/words/field-words'
import {
  adTagWords,
  categoryWords,
  feedWords,
  programGuideWords,
  videoSourceWords,
  zobjectTypeWords,
  zobjectWords,
} from '@zoetrope/contract/words/library'
import { redemptionCodeWords, subscriptionWords, transactionWords } from '@zoetrope/contract/words/payments'
import { passWords, planWords } from '@zoetrope/contract/words/plans'
import { playlistWords } from '@zoetrope/contract/words/playlists'
import { subtitleWords } from '@zoetrope/contract/words/subtitles'
import { videoWords } from '@zoetrope/contract/words/videos'
import { currencyAmong } from '../packages/dashboard/src/data/currency.js'
import { sortOut } from '../packages/dashboard/src/pages/upload/dropped-files.js'
import { countOutcomes, type Followed, outcomeOf } from '../packages/dashboard/src/pages/upload/outcome.js'
import { followTitle } from '../packages/dashboard/src/pages/video/slug.js'
import { fieldNameOf } from '../packages/dashboard/src/pages/zobject-types/field-name.js'
import { kindOf } from '../packages/dashboard/src/ui/activity/event-kinds.js'
import { withLabels } from '../packages/dashboard/src/ui/field-words.js'
import {
  bytes,
  clock,
  dayOf,
  fromNow,
  money,
  percent,
  plural,
  span,
} from '../packages/dashboard/src/ui/numbers.js'
import { moneyProblem } from '../packages/dashboard/src/ui/resource-form/problems.js'
import { nothingFound } from '../packages/dashboard/src/ui/resource-table/nothing-found.js'
import { stateOf } from '../packages/dashboard/src/ui/video-state.js'

const now = Date.parse('2026-01-01')
const stateWith = (status: string, more: object = {}, percent?: number) =>
  stateOf({ status, active: true, ...more } as never, { now, percent })

test('a video has one status, and what keeps it from being watched comes before Published', () => {
  const words = (...given: Parameters<typeof stateWith>) => stateWith(...given).words
  assert.deepEqual(
    ['failed', 'deleted', 'uploading', 'processing', 'created', 'ready'].map((status) => words(status)),
    ['Failed', 'In the trash', 'Uploading', 'Processing', 'Draft, no file yet', 'Published'],
  )
  assert.deepEqual(
    ['uploading', 'created', 'failed', 'ready'].map((status) => words(status, {}, 40)),
    ['Uploading 40%', 'Uploading 40%', 'Uploading 40%', 'Published'],
  )
  assert.equal(words('ready', { active: false }), 'Draft')
  assert.match(
    words('ready', { active: false, enable_at: '2026-02-10T12:00:00Z' }),
    /^Scheduled for (?=.*10)(?!.*2026)/,
  )
  assert.match(words('ready', { active: false, enable_at: '2027-02-10T12:00:00Z' }), /2027/)
  assert.equal(words('ready', { active: false, enable_at: '2025-02-01T00:00:00Z' }), 'Draft')
})

test('beside the status stands who may watch, and that a new film failed', () => {
  const notes = (status: string, more: object) => stateWith(status, more).notes.map(({ words }) => words)
  assert.deepEqual(notes('ready', { subscription_required: true }), ['Subscribers only'])
  assert.deepEqual(notes('ready', { subscription_required: true, rental_required: true }), ['Limited access'])
  assert.deepEqual(notes('created', { registration_required: true }), ['Signed-in viewers only'])
  assert.deepEqual(notes('ready', {}), [])
  assert.deepEqual(notes('deleted', { subscription_required: true }), [])
  const replaced = { status_reason: 'This file has no picture and no sound.' }
  assert.deepEqual(notes('ready', replaced), ['New file failed'])
  assert.deepEqual(notes('failed', replaced), [])
  assert.equal(stateWith('failed', replaced).reason, replaced.status_reason)
})

test('a length is rounded, and a short time is not shown as no hours', () => {
  assert.equal(clock(179.999993), '3:00')
  assert.equal(clock(3599.6), '1:00:00')
  assert.deepEqual([0, 24, 120, 5400].map(span), ['0 sec', '24 sec', '2 min', '1.5 hr'])
})

test('an amount is shown with its currency, and has as many decimals as the currency', () => {
  const usual = ['4.9 USD', '500 JPY', '4.9 XX']
  assert.deepEqual(
    usual.map((each) => money(...(each.split(' ') as [string, string]))),
    ['$4.90', '¥500', '4.9 XX'],
  )
  const problems = ['4.99', '5', '4.999', '4,99', '1 299.50', 'free', '-1', '12345678901'].map((amount) =>
    moneyProblem(amount, 'USD')?.replace(/[.,].*/, ''),
  )
  assert.deepEqual(problems, [
    ...[undefined, undefined, 'Use at most 2 decimals'],
    ...['Use a point for the decimals and nothing between thousands'],
    ...['Use a point for the decimals and nothing between thousands'],
    ...['Enter an amount', 'Enter an amount', 'Enter an amount'],
  ])
  assert.match(moneyProblem('4.99', 'JPY') ?? '', /^JPY has no decimals/)
  const offers = ['EUR', 'USD', 'EUR', null].map((currency) => ({ currency }))
  assert.deepEqual([currencyAmong(offers), currencyAmong([])], ['EUR', 'USD'])
})

test('an empty list says whether the search or the filters made it empty', () => {
  assert.deepEqual(nothingFound({ q: 'vault', sort: 'title', page: 2 }), {
    about: 'Nothing matches “vault”.',
    clear: 'Clear search',
  })
  assert.equal(nothingFound({ status: 'failed' }).clear, 'Clear filters')
  assert.equal(nothingFound({ q: 'vault', status: 'failed' }).clear, 'Clear search and filters')
})

test('what people call a field becomes a name that the API takes', () => {
  const names = ['Born in', 'born_in', 'bornIn', 'Größe (cm)', ' Élan vital ', '2nd name', '年', '…']
  assert.deepEqual(names.map(fieldNameOf), [
    ...['born_in', 'born_in', 'bornIn', 'grosse_cm', 'elan_vital', 'field_2nd_name', '', ''],
  ])
})

test('video and audio files are taken, and the others are named', () => {
  const file = (name: string, type = '') => ({ name, type })
  const { taken, refused } = sortOut([
    ...[file('a.mp4', 'video/mp4'), file('podcast.mp3', 'audio/mpeg'), file('b.FLAC'), file('c.mkv')],
    ...[file('notes.txt', 'text/plain'), file('poster.jpg', 'image/jpeg'), file('.DS_Store')],
  ])
  assert.deepEqual(
    taken.map(({ name }) => name),
    ['a.mp4', 'podcast.mp3', 'b.FLAC', 'c.mkv'],
  )
  assert.deepEqual(
    refused.map(({ name }) => name),
    ['notes.txt', 'poster.jpg'],
  )
})

test('the state of an uploaded file follows its video', () => {
  const video = (status: string, more: object = {}) =>
    ({ _id: status, status, status_reason: null, data_sources: [], ...more }) as unknown as Followed
  const replaced = video('ready', { data_sources: [{ status: 'ready' }, { status: 'processing' }] })
  const notReplaced = video('ready', { status_reason: 'This file has no picture and no sound.' })
  assert.deepEqual(
    [undefined, video('uploading'), video('processing'), video('ready'), video('failed')].map(outcomeOf),
    ['unknown', 'making', 'making', 'playable', 'failed'],
  )
  assert.deepEqual([replaced, notReplaced, video('deleted')].map(outcomeOf), ['making', 'failed', 'gone'])
  const items = [
    { state: 'done', videoId: 'ready' },
    { state: 'done', videoId: 'failed' },
    { state: 'sending', videoId: 'uploading' },
  ] as const
  const videos = new Map(['ready', 'failed'].map((status) => [status, video(status)]))
  assert.deepEqual(countOutcomes(items, videos), { done: 2, playable: 1, failed: 1 })
  const again = [...items, { state: 'waiting', videoId: 'failed' }] as const
  assert.deepEqual(countOutcomes(again, videos), { done: 2, playable: 1, failed: 0 })
})

test('a slug follows the title until viewers see the video or it is changed by hand', () => {
  const video = { _id: 'a'.repeat(24), title: 'interview final v3', friendly_title: 'interview-final-v3' }
  const hidden = { ...video, active: true, playable_at: null }
  const seen = { ...video, active: true, playable_at: '2026-01-01T00:00:00Z' }
  const followed = (of: typeof hidden | typeof seen, title: string, before: object = video) =>
    followTitle(of, 'title', title, before as never).friendly_title
  assert.equal(followed(hidden, 'Ada, interviewed'), 'ada-interviewed')
  assert.equal(followed(hidden, 'Ada', { title: 'Ad', friendly_title: 'ad' }), 'ada')
  assert.equal(followed(hidden, 'Ada', { title: 'Ad', friendly_title: 'my-own' }), undefined)
  assert.equal(followed(seen, 'Ada'), undefined)
  const distinct = { ...hidden, friendly_title: 'interview-final-v3-aaaaaaaa' }
  assert.equal(followed(distinct, 'Ada', distinct), 'ada')
  assert.equal(
    followed(distinct, video.title, { title: 'Ada', friendly_title: 'ada' }),
    distinct.friendly_title,
  )
})

const formTexts = {
  account: accountWords,
  ad_tags: adTagWords,
  apps: appWords,
  categories: categoryWords,
  consumers: consumerWords,
  content_rule_profiles: contentRuleProfileWords,
  feeds: feedWords,
  pass_plans: passWords,
  plans: planWords,
  playlists: playlistWords,
  program_guides: programGuideWords,
  redemption_codes: redemptionCodeWords,
  subscriptions: subscriptionWords,
  subtitles: subtitleWords,
  transactions: transactionWords,
  video_content_rules: contentRuleWords,
  video_sources: videoSourceWords,
  videos: videoWords,
  zobject_types: zobjectTypeWords,
  zobjects: zobjectWords,
} satisfies { readonly [K in keyof Catalog]?: Words }

/** Words of the API that mean nothing to publishers: names of fields, and how values are written. */
const ofTheApi = /_|\b(null|true|false|base64|multipart|decimal string|ISO|BCP|consumers?|zobjects?)\b/i

/** What is wrong with the texts of a field, if anything. */
function oddity(label: string, help: string | null): string | undefined {
  const texts = help === null ? [label] : [label, help]
  if (texts.some((text) => ofTheApi.test(text))) return 'uses words of the API'
  if (texts.some((text) => !/^(\p{Lu}|\d|iTunes)/u.test(text))) return 'does not begin with a capital letter'
  return help === `${label}.` ? 'says nothing new' : undefined
}

test('the texts of forms are written for publishers, not in words of the API', () => {
  const odd = Object.entries<Words>(formTexts).flatMap(([name, words]) =>
    Object.entries(words).map(([field, { label, help }]) => {
      const what = oddity(label, help)
      return what && `${name}.${field} ${what}`
    }),
  )
  assert.deepEqual(odd.filter(Boolean), [])
})

test('messages of the server name fields by their labels', () => {
  assert.equal(
    withLabels('Another record has this friendly_title already.', videoWords),
    'Another record has this Name in links already.',
  )
  assert.equal(withLabels('language is not a language', videoWords), 'Language is not a language')
  assert.equal(withLabels('Set unknown_field first.', videoWords), 'Set unknown_field first.')
})

test('Activity has publishers’ words for every field that somebody can change and no form has', () => {
  const unnamed = Object.values<Resource>(catalog).flatMap((resource) => {
    // Apps read their own record, and change nothing.
    if (resource.name === 'own_app') return []
    const { labels, fields } = kindOf({ type: `${resource.name}.updated` })
    return shownFields(resource)
      .filter((name) => /_(id|ids|at|url)$|_\w+_/.test(name) && fields[name] && !fields[name].computed)
      .filter((name) => !labels[name])
      .map((name) => `${resource.name}.${name}`)
  })
  assert.deepEqual(unnamed, [])
  assert.equal(kindOf({ type: 'playlist.updated' }).labels.related_video_ids?.label, 'Videos')
})

test('numbers, plurals and times are words that people write', () => {
  const videos = (count: number) => plural(count, { one: '# video', other: '# videos' })
  assert.deepEqual([0, 1, 2, 1234].map(videos), ['0 videos', '1 video', '2 videos', '1,234 videos'])
  assert.deepEqual([999, 1_234_567, 98_000_000].map(bytes), ['999 bytes', '1.2 MB', '98 MB'])
  assert.deepEqual([0, 0.004, 0.4, 1].map(percent), ['0%', '0.4%', '40%', '100%'])
  assert.equal(dayOf('2026-11-16'), 'Nov 16, 2026')
  const now = Date.parse('2026-01-01T12:00:00Z')
  assert.deepEqual(
    ['2026-01-01T11:54:30Z', '2026-01-01T11:54:59Z'].map((moment) => fromNow(moment, now)),
    ['5 minutes ago', '5 minutes ago'],
  )
})
