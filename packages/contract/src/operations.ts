import type { Operation, Resource } from './resource.js'

/** The five operations: the verb, whether the path names one record, and the status of a success. */
export const operations = {
  list: { method: 'GET', onMember: false, success: 200, about: 'List' },
  get: { method: 'GET', onMember: true, success: 200, about: 'Read' },
  create: { method: 'POST', onMember: false, success: 201, about: 'Create' },
  update: { method: 'PUT', onMember: true, success: 200, about: 'Update' },
  remove: { method: 'DELETE', onMember: true, success: 204, about: 'Delete' },
} as const satisfies Record<Operation, object>

/** The path of an operation with `:id` in place of the record's id. */
export function pathOf(resource: Resource, operation: Operation): string {
  return operations[operation].onMember && !resource.single ? `/${resource.path}/:id` : `/${resource.path}`
}

export function actionPath(resource: Resource, action: string): string {
  return resource.single ? `/${resource.path}/${action}` : `/${resource.path}/:id/${action}`
}
