import { ApiError } from '../errors.js'
import { type HostedOperation, hostedOperations } from './hosted-operations.js'

/** A path with every id in it left out: `/videos/{id}` and `/videos/:id` are one. */
export const shapeOf = (path: string): string => path.replace(/\{[^}]*\}|:[a-z_]+/gi, '{}')

const ids = (shape: string) => shape.split('{}').length

// A name comes before an id in the same place. The suffixes are off a path before it is looked at.
const patterns: readonly { operation: HostedOperation; shape: string; matches: RegExp }[] = hostedOperations
  .map((operation) => {
    const shape = shapeOf(operation.path.replace(/\.xml$/, ''))
    const text = shape.replace(/[.]/g, '\\.').replaceAll('{}', '[^/]+')
    return { operation, shape, matches: new RegExp(`^${text}$`) }
  })
  .sort((a, b) => ids(a.shape) - ids(b.shape))

/** The operation of the hosted service that a request is for, by its verb and its plain path. */
export const hostedOperationAt = (method: string, url: string): HostedOperation | undefined =>
  matching(url).find(({ operation }) => operation.method === method)?.operation

const matching = (url: string) => {
  const path = url.split('?', 1)[0] as string
  return patterns.filter(({ matches }) => matches.test(path))
}

const refuse = (what: string) =>
  new ApiError(404, `Zoetrope does not offer ${what}. What it offers is at /docs.`, { code: 'not_offered' })

const called = ({ method, path }: HostedOperation) => `${method} ${path}`

/** The answer to a verb that a path of ours does not have, if the hosted service has it. */
export function verbNotOffered(verb: string, url: string): ApiError | undefined {
  const asked = hostedOperationAt(verb, url)
  return asked && refuse(called(asked))
}

/** The answer to a path that leads nowhere, if it leads somewhere in the hosted service. */
export function pathNotOffered(method: string, url: string): ApiError | undefined {
  const verb = method === 'HEAD' ? 'GET' : method
  const [other] = matching(url)
  return verbNotOffered(verb, url) ?? (other && refuse(other.operation.path))
}

/** The answer where a name was taken for an id that is not there, if the name is that of an operation. */
export function nameNotOffered(method: string, url: string, route: string): ApiError | undefined {
  const asked = hostedOperationAt(method, url)
  return asked && ids(shapeOf(asked.path)) < ids(shapeOf(route)) ? refuse(called(asked)) : undefined
}
