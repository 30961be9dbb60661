import { standard } from '../resources/standard.js'
import { listEntries } from './program-guides/entries.js'
import { createGuide, refresh, updateGuide } from './program-guides/write.js'
import { withinKnown } from './references.js'

export const guideFeatures = {
  program_guides: {
    operations: { list: withinKnown(standard.list), create: createGuide, update: updateGuide },
    actions: { refresh },
  },
  program_guide_entries: { operations: { list: listEntries }, actions: {} },
} as const
