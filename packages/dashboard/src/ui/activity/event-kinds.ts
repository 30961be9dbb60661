import { type Catalog, catalog, type Field, type Inverse, inverseOf, operationOf } from '@zoetrope/contract'
import { accountWords } from '@zoetrope/contract/words/account'
import { appWords } from '@zoetrope/contract/words/apps'
import { audioTrackWords } from '@zoetrope/contract/words/audio-tracks'
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
import { webhookWords } from '@zoetrope/contract/words/webhooks'
import type { Need } from '../../data/may-do.js'
import type { Entry } from '../../data/records.js'
import { fieldNames } from './field-names.js'

export type ActivityEvent = Entry<'events'>

/** The records that events are about, by the first part of the type. */
interface EventKind {
  readonly name: keyof Catalog | undefined
  /** The texts of its forms. */
  readonly words: Words
  /** The texts of every field. */
  readonly labels: Words
  readonly fields: Readonly<Record<string, Field>>
}

const words: Readonly<Record<string, Words>> = {
  account: accountWords,
  ad_tag: adTagWords,
  app: appWords,
  audio_track: audioTrackWords,
  category: categoryWords,
  category_content_rule: contentRuleWords,
  consumer: consumerWords,
  content_rule_profile: contentRuleProfileWords,
  feed: feedWords,
  pass_plan: passWords,
  plan: planWords,
  playlist: playlistWords,
  playlist_content_rule: contentRuleWords,
  program_guide: programGuideWords,
  redemption_code: redemptionCodeWords,
  subscription: subscriptionWords,
  subtitle: subtitleWords,
  transaction: transactionWords,
  video: videoWords,
  video_content_rule: contentRuleWords,
  video_source: videoSourceWords,
  webhook: webhookWords,
  zobject: zobjectWords,
  zobject_type: zobjectTypeWords,
}

const others: Words = Object.fromEntries(
  Object.entries(fieldNames).map(([name, label]) => [name, { label, help: null }]),
)

/** Types that do not begin with the name of their resource. */
const otherwise: Readonly<Record<string, keyof Catalog>> = { import: 'video_imports', key: 'keys' }

const names = new Map(
  (Object.keys(catalog) as (keyof Catalog)[]).map((name) => [catalog[name].name as string, name]),
)

export const nounOf = ({ type }: Pick<ActivityEvent, 'type'>): string => type.split('.')[0] ?? ''
export const verbOf = ({ type }: Pick<ActivityEvent, 'type'>): string => type.split('.')[1] ?? ''

export function kindOf(event: Pick<ActivityEvent, 'type'>): EventKind {
  const noun = nounOf(event)
  const name = otherwise[noun] ?? names.get(noun)
  const own = words[noun] ?? {}
  return { name, words: own, labels: { ...others, ...own }, fields: name ? catalog[name].fields : {} }
}

/** Fields that change along with another one, which is what a person changed. */
const derived: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  subtitle: {
    file: [
      ...['extension_type', 'file_file_name', 'file_content_type', 'file_file_size', 'file_fingerprint'],
      ...['file_updated_at', 'url'],
    ],
  },
  // A slug that follows its title.
  video: { title: ['friendly_title'] },
  playlist: { title: ['friendly_title'] },
  zobject: { title: ['friendly_title'] },
}

/** The fields of an update that a person changed, without those that follow from them. */
export function changedFields(event: Pick<ActivityEvent, 'type' | 'previous'>): readonly string[] {
  const { fields } = kindOf(event)
  const names = new Set(Object.keys(event.previous))
  const sources = Object.entries(derived[nounOf(event)] ?? {})
  if (names.has('file_fingerprint')) names.add('file')
  for (const [source, others] of sources) if (names.has(source)) for (const name of others) names.delete(name)
  const written = [...names].filter((name) => !fields[name]?.computed)
  return written.length > 0 ? written : [...names]
}

/** How an event can be undone, and what the user must be allowed to do for it. */
export function undoOf(event: Pick<ActivityEvent, 'type'>): { inverse: Inverse; need: Need } | undefined {
  const { name } = kindOf(event)
  const inverse = name && inverseOf(catalog[name], event.type)
  return inverse && { inverse, need: [name, operationOf(inverse)] }
}

/** The lists whose records have a page of their own. */
const paths: Readonly<Record<string, string>> = {
  ad_tag: '/ad-tags',
  app: '/apps',
  category: '/categories',
  consumer: '/consumers',
  content_rule_profile: '/audience-rules',
  feed: '/feeds',
  pass_plan: '/passes',
  plan: '/plans',
  playlist: '/playlists',
  program_guide: '/program-guides',
  redemption_code: '/redemption-codes',
  subscription: '/subscriptions',
  transaction: '/transactions',
  video: '/videos',
  video_source: '/video-sources',
  webhook: '/webhooks',
  zobject_type: '/zobject-types',
}

/** Pages without an id. */
const single: Readonly<Record<string, string>> = {
  account: '/settings/channel',
  formats: '/settings/formats',
  invitation: '/team',
  key: '/keys',
  member: '/team',
  signing_key: '/keys',
}

/** The page of the record of an event, or of the record that it belongs to. */
export function pathOfRecord(event: ActivityEvent): string | undefined {
  const noun = nounOf(event)
  if (single[noun]) return single[noun]
  if (noun === 'zobject') return `/zobjects/${String(event.data.zobject_type)}/${event.record_id}`
  if (paths[noun]) return `${paths[noun]}/${event.record_id}`
  const parent = ['video', 'playlist', 'consumer', 'category', 'feed'].find(
    (each) => typeof event.data[`${each}_id`] === 'string',
  )
  return parent && `${paths[parent]}/${String(event.data[`${parent}_id`])}`
}

/** Records whose page is that of another record stay reachable when they are deleted. */
export const hasOwnPage = (event: ActivityEvent): boolean =>
  nounOf(event) in paths || nounOf(event) === 'zobject'
