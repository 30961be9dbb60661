import { catalog, type Resource } from '@zoetrope/contract'
import { countsSql } from './counts.js'
import { historySql } from './history.js'
import { recordsSql } from './records.js'

const resources: readonly Resource[] = Object.values(catalog)

export const generatedFolder = new URL('../../packages/server/src/db/generated/', import.meta.url)

/** The SQL that repeats one pattern for each table, by the names of its files in db/generated/. */
export const generatedFiles = (): Readonly<Record<string, string>> => ({
  'counts.sql': countsSql(resources),
  'history.sql': historySql(resources),
  'records.sql': recordsSql(resources),
})
