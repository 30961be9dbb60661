import type { videoWords } from '@zoetrope/contract/words/videos'
import type { FieldGroup } from '../../ui/resource-form/form-groups.js'
import { strings } from './strings.js'

/** Fields that a form of a video can show. The categories are shown by an input of their own. */
export type VideoField = keyof typeof videoWords
export type VideoGroup = FieldGroup<VideoField>

const fieldsOf = (groups: readonly VideoGroup[]) => groups.flatMap(({ fields }) => fields)

/** When viewers see a video. */
export const scheduleGroups: readonly VideoGroup[] = [
  { title: strings.schedule.when, fields: ['active', 'enable_at', 'disable_at'] },
  { title: strings.schedule.shown, fields: ['published_at', 'featured'] },
  { title: strings.schedule.live, fields: ['live_event', 'on_air', 'on_air_at', 'off_air_at'] },
]

/** Who may watch it. */
export const accessGroups: readonly VideoGroup[] = [
  {
    title: strings.access.members,
    about: strings.access.membersAbout,
    fields: ['registration_required', 'subscription_required', 'pass_required', 'redemption_code_required'],
  },
  { title: strings.access.purchase, fields: ['purchase_required', 'purchase_price'] },
  { title: strings.access.rental, fields: ['rental_required', 'rental_price', 'rental_duration'] },
  {
    title: strings.access.ads,
    fields: ['subscription_ads_enabled'],
    isShown: ({ subscription_required }) => subscription_required === true,
  },
  { title: strings.access.audience, fields: ['parental_guidelines_rating', 'mature_content'] },
  {
    title: strings.access.profile,
    about: strings.access.profileAbout,
    fields: ['content_rule_profile_id'],
  },
]

export const scheduleFields = fieldsOf(scheduleGroups)
export const accessFields = fieldsOf(accessGroups)
