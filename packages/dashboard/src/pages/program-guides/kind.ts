import { catalog } from '@zoetrope/contract'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { strings } from './strings.js'

export const programGuides: RecordKind = {
  name: 'program_guides',
  resource: catalog.program_guides,
  path: '/program-guides',
  icon: 'clock',
  strings,
  titleOf: ({ name }) => String(name),
  columns: ['name', { field: 'status', isOnPhone: true }, 'program_guide_entry_count', 'refreshed_at'],
  filters: ['status'],
  starting: { time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone, language: ['en'] },
  inputs: { video_ids: referenceTo('videos') },
}
