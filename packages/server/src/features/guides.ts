import { standard } from '../resources/standard.js'
import { createFeed, createKey, getKey, listKeys, updateFeed } from './feeds/write.js'
import { listEntries } from './program-guides/entries.js'
import { createGuide, refresh, updateGuide } from './program-guides/write.js'
import { createImport } from './video-imports/create.js'
import { withFilm } from './video-imports/film.js'
import { addVideoToImport, cancelImport, removeImport, retryImport } from './video-imports/proceed.js'
import { createSource, listVideoSources, refreshNow, updateSource } from './video-sources/operations.js'

/** Outgoing feeds, and imports from external addresses. */
export const guideFeatures = {
  feeds: {
    operations: { create: createFeed, update: updateFeed },
    actions: {},
  },
  feed_keys: { operations: { list: listKeys, get: getKey, create: createKey }, actions: {} },
  program_guides: {
    operations: { create: createGuide, update: updateGuide },
    actions: { refresh },
  },
  video_sources: {
    operations: { list: listVideoSources, create: createSource, update: updateSource },
    actions: { refresh: refreshNow },
  },
  video_imports: {
    operations: {
      list: withFilm(standard.list),
      get: withFilm(standard.get),
      create: withFilm(createImport),
      remove: removeImport,
    },
    actions: {
      cancel: withFilm(cancelImport),
      retry: withFilm(retryImport),
      add_video: withFilm(addVideoToImport),
    },
  },
  program_guide_entries: { operations: { list: listEntries }, actions: {} },
} as const
