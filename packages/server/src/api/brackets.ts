import { limits } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import { tooManyParameters } from '../edge/body-meter.js'
import { invalid } from '../errors.js'
import { isObject } from '../lib/is-object.js'
import { readForm } from './form.js'

export type Tree = { [name: string]: unknown }

/** Becomes the text `[group]` where text is expected, so that a misplaced group is refused like any other wrong value. */
const group: object = Object.create(null, { [Symbol.toPrimitive]: { value: () => '[group]' } })

/** A group without names; none is inherited either, so that callers may use any. */
export const emptyTree = (): Tree => Object.create(group)

/** Turns `video[title]`, `id[]`, `a[0][b]` and plain names into nested objects and arrays. A repeated name is a list. */
export function nest(pairs: Iterable<readonly [string, unknown]>): Tree {
  const root = emptyTree()
  let count = 0
  for (const [name, value] of pairs) {
    count += 1
    if (count > limits.parameters.value) throw tooManyParameters()
    put(root, steps(name), value)
  }
  return arrays(root) as Tree
}

/** `a[b][]` → ['a', 'b', '']. Brackets that do not close are part of the name. */
function steps(name: string): string[] {
  const open = name.indexOf('[')
  if (open <= 0 || !name.endsWith(']')) return [name]
  const inner = name.slice(open + 1, -1).split('][')
  if (inner.some((step) => step.includes('[') || step.includes(']'))) return [name]
  if (inner.length >= limits.depth.value)
    throw invalid(`Parameters may nest at most ${limits.depth.value} deep.`)
  return [name.slice(0, open), ...inner]
}

function put(parent: Tree, [step = '', ...rest]: string[], value: unknown): void {
  const next = rest[0]
  if (next === undefined) {
    repeat(parent, step, value)
    return
  }
  if (next === '') {
    append(parent, step, rest.slice(1), value)
    return
  }
  if (!(step in parent)) parent[step] = emptyTree()
  put(branch(parent[step], step), rest, value)
}

/** Adds to the list in place: a copy for each repetition would take time that grows with its square. */
function repeat(parent: Tree, step: string, value: unknown): void {
  if (!(step in parent)) {
    parent[step] = value
    return
  }
  const before = parent[step]
  const list = Array.isArray(before) ? before : [before]
  for (const each of [value].flat()) list.push(each)
  parent[step] = list
}

/** `a[]=1` adds an item; `a[][b]=1` adds to the last item until it has a `b` already; `a[][b][]=1` to the last item's list. */
function append(parent: Tree, step: string, rest: string[], value: unknown): void {
  if (!(step in parent)) parent[step] = []
  const list = parent[step]
  if (!Array.isArray(list)) throw invalid(`${step} is given both as a list and as something else.`)
  if (rest.length === 0) {
    // In JSON with bracketed names the value may be the whole list.
    for (const each of [value].flat()) list.push(each)
    return
  }
  const last = list.at(-1)
  const [name = ''] = rest
  const isTaken = (item: object) => name in item && !rest.includes('')
  if (typeof last !== 'object' || last === null || isTaken(last)) list.push(emptyTree())
  put(list.at(-1), rest, value)
}

function branch(value: unknown, step: string): Tree {
  if (isObject(value)) return value
  throw invalid(`${step} is given both as a value and as a group.`)
}

/** Objects whose names are 0, 1, 2… are how forms write lists. */
function arrays(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(arrays)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== group) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, arrays(inner)] as const)
  if (entries.length > 0 && entries.every(([name]) => /^\d{1,4}$/.test(name)))
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner)
  return Object.assign(emptyTree(), Object.fromEntries(entries))
}

export const nestForm = (text: string): Tree => nest(readForm(text))

declare module 'fastify' {
  interface FastifyRequest {
    /** The query string as a tree, once it has been parsed; read it with `queryOf`. */
    queryTree: Tree | undefined
  }
}

/** The query string of a request, parsed on first use: an answer kept in memory is sent without parsing it. */
export function queryOf(request: Pick<FastifyRequest, 'url' | 'queryTree'>): Tree {
  request.queryTree ??= parseQuery(request.url)
  return request.queryTree
}

function parseQuery(url: string): Tree {
  const start = url.indexOf('?')
  return start < 0 ? nest([]) : nestForm(url.slice(start + 1))
}
