export {
  aboutCaller,
  type CallerKind,
  type CredentialKind,
  callerKinds,
  type Duty,
  duties,
  publishes,
  type Role,
  roles,
} from './caller-kinds.js'
export {
  allows,
  confirmedFields,
  coversScope,
  kindsAllowed,
  needsConfirmation,
  roleAllows,
  scopeFor,
} from './callers.js'
export { type Catalog, type CountedList, catalog, countedList, touchedList } from './catalog.js'
export type { ChannelEvent } from './event-records.js'
export {
  eventSubjects,
  eventTypesOf,
  eventVerbs,
  hasEvents,
  milestones,
  otherEvents,
  subjectOf,
} from './event-types.js'
export { type Field, isShown, nullable } from './fields.js'
export {
  actionSchema,
  errorSchema,
  fieldSchema,
  inputSchema,
  type JsonSchema,
  type Pagination,
  paginationSchema,
  recordSchema,
  writableFields,
} from './json-schema.js'
export { keyScopes } from './key-scopes.js'
export { limits } from './limits.js'
export {
  actionPath,
  actsOnMember,
  ancestorsOf,
  documentedPath,
  operations,
  parentParameters,
  pathOf,
} from './operations.js'
export {
  type Comparison,
  type FilterParameter,
  fileFields,
  filterParameters,
  filtersByName,
  hidingChoice,
  hidingField,
  perResource,
  searchFields,
  secretFields,
  shownFields,
  shownOnce,
  sortFields,
} from './parameters.js'
export {
  type Format,
  type FormatBox,
  type HlsFormat,
  hlsFormats,
  publishedFormats,
} from './published-formats.js'
export type * from './publishers.js'
export { confirmedEndpoints } from './publishers.js'
export { isHarmless, queryNames } from './query-names.js'
export type { ActionBodyOf, BodyOf, CreateOf, ListQueryOf, RecordOf, UpdateOf } from './record-types.js'
export type {
  Action,
  ActionOutline,
  Operation,
  Outline,
  Place,
  Resource,
  Shown,
} from './resource.js'
export { parentField } from './resource.js'
export { eventVersion } from './resources/events.js'
export { playlistDepth } from './resources/playlist-fields.js'
export {
  type SearchMatch,
  type SearchSummary,
  searchSummary,
} from './resources/video-search.js'
export type { Videos } from './resources/videos.js'
export { hasSchedule, moment, planSwitches, type Switches } from './schedule.js'
export { slug } from './slug.js'
export { type ErrorStatus, statuses } from './statuses.js'
export type * from './storage-facts.js'
export { type Inverse, inverseOf, operationOf } from './undoing.js'
export { type ApiVersion, apiVersions, newestVersion } from './versions.js'
