import { type Operation, type Outline, type Place, parentField, type Resource } from './resource.js'

/** The five operations: the verb, whether the path names one record, and the status of a success. */
export const operations = {
  list: { method: 'GET', onMember: false, success: 200, about: 'List' },
  get: { method: 'GET', onMember: true, success: 200, about: 'Read' },
  create: { method: 'POST', onMember: false, success: 201, about: 'Create' },
  update: { method: 'PUT', onMember: true, success: 200, about: 'Update' },
  remove: { method: 'DELETE', onMember: true, success: 204, about: 'Delete' },
} as const satisfies Record<Operation, object>

/** The ids of the records that a record lies in, from the nearest outwards, as paths call them. */
export const parentParameters = ['parent_id', 'grandparent_id'] as const

function collectionPath(
  { path, within }: Place,
  [parameter, ...others]: readonly string[] = parentParameters,
): string {
  return within ? `${collectionPath(within, others)}/:${parameter}/${path}` : `/${path}`
}

/** The path of an operation with `:id` in place of the record's id and `:parent_id` in place of the one it lives in. */
export function pathOf(resource: Outline, operation: Operation): string {
  const collection = collectionPath(resource)
  return operations[operation].onMember && !resource.single ? `${collection}/:id` : collection
}

/** Whether an action is about one record that its path names. */
export const actsOnMember = (resource: Outline, action: string): boolean =>
  !resource.single && resource.actions[action]?.on !== 'collection'

export function actionPath(resource: Outline, action: string): string {
  const collection = collectionPath(resource)
  const name = resource.actions[action]?.path ?? action
  return actsOnMember(resource, action) ? `${collection}/:id/${name}` : `${collection}/${name}`
}

/** A path as documents write it: `/consumers/{consumer_id}/sessions/{id}`. */
export function documentedPath(resource: Resource, path: string): string {
  const ancestors = ancestorsOf(resource).entries()
  const inside = [...ancestors].reduce(
    (written, [index, ancestor]) =>
      written.replace(`:${parentParameters[index]}`, `{${parentField(ancestor)}}`),
    path,
  )
  return inside.replace(':id', '{id}')
}

/** Whether an operation or action only reads. */
export function isReadOperation({ actions }: Pick<Outline, 'actions'>, operation: string): boolean {
  const action = Object.hasOwn(actions, operation) ? actions[operation] : undefined
  return action ? action.method === 'GET' : operation === 'list' || operation === 'get'
}

/** The resources that a record lies in, from the nearest outwards. */
export const ancestorsOf = ({ within }: Resource): Resource[] =>
  within ? [within, ...ancestorsOf(within)] : []
