import type { Resource } from '@zoetrope/contract'
import { violation } from '../db/violation.js'
import { type ApiError, invalid } from '../errors.js'
import type { Run } from '../resources/feature.js'

/**
 * A removal that the database refuses because other records refer to the record. PostgreSQL reports this with the same code
 * as a reference to a record that does not exist, and tells the two apart only in words of the language it was set up with.
 */
export const unlessUsed =
  <B>(remove: Run<B>): Run<B> =>
  async (call) => {
    try {
      return await remove(call)
    } catch (error) {
      throw violation(error) === 'foreign_key' ? stillUsed(call.resource, error) : error
    }
  }

function stillUsed({ name, fields }: Resource, cause: unknown): ApiError {
  const table = (cause as { readonly table_name?: string }).table_name ?? 'other_records'
  const advice = 'active' in fields ? ' Set active to false to offer it no more.' : ''
  return invalid(
    `${capitalised(table)} refer to this ${name.replaceAll('_', ' ')}, so it cannot be deleted.${advice}`,
  )
}

const capitalised = (table: string) => table.charAt(0).toUpperCase() + table.slice(1).replaceAll('_', ' ')
