import { catalog } from '@zoetrope/contract'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { strings } from './strings.js'

export const redemptionCodes: RecordKind = {
  name: 'redemption_codes',
  resource: catalog.redemption_codes,
  path: '/redemption-codes',
  icon: 'key',
  strings,
  titleOf: ({ nice_code }) => String(nice_code),
  columns: [
    { field: 'nice_code', label: strings.code },
    { field: 'content_title', label: strings.opens, isOnPhone: true },
    'redeemed',
    'expiration_date',
    'created_at',
  ],
  filters: ['redeemed'],
  groups: [{ fields: ['code', 'video_id', 'playlist_id', 'plan_id', 'pass_plan_id', 'expiration_date'] }],
  inputs: {
    video_id: referenceTo('videos'),
    playlist_id: referenceTo('playlists'),
    plan_id: referenceTo('plans', 'name'),
    pass_plan_id: referenceTo('pass_plans', 'name'),
  },
}
