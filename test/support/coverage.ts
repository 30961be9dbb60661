import { actionPath, catalog, operations, pathOf, type Resource } from '@zoetrope/contract'
import { type HostedOperation, hostedOperations } from '../../packages/server/src/api/hosted-operations.js'
import { shapeOf } from '../../packages/server/src/api/not-offered.js'
import { openApi } from '../../packages/server/src/reference/openapi/document.js'
import type { Source } from './sources.js'

/** The test that calls every operation on records, driven by the table of endpoints. */
export const callsAll = 'test/api/access.test.ts'

/** An operation that we offer: where it is defined, and how a test calls it. */
interface Offer {
  readonly definedIn: string
  readonly calledAs: RegExp
  /** Words that appear in the names of its own tests. */
  readonly words: readonly string[]
  readonly ofRecords: boolean
}

/** The modules of the hosted service that existing apps build on. Of Live, only the program guides. */
const modules = [
  'OAuth',
  'Videos',
  'Library organisation',
  'Ingest',
  'Playback',
  'Consumers',
  'Monetisation',
  'Zobjects',
  'Content rules',
  'Account',
]

export const isInScope = ({ module, tier, path }: HostedOperation): boolean =>
  tier < 3 && (modules.includes(module) || path.startsWith('/program_guides'))

export const nameOf = ({ method, path }: Pick<HostedOperation, 'method' | 'path'>): string =>
  `${method} ${path}`

/** The key of an operation. A suffix that selects the response format is not part of it. */
const keyOf = (method: string, path: string) => `${method} ${shapeOf(path.replace('.{format}', ''))}`

const camelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

const method = (key: string, names: string) => new RegExp(`\\b${key}\\s*\\.\\s*(${names})\\(`)

function resourceOffers(sources: readonly Source[]): [string, Offer][] {
  return Object.entries(catalog).flatMap(([key, resource]: [string, Resource]) => {
    const definedIn = definitionOf(sources, resource)
    const words = [resource.plural.replaceAll('_', '-'), resource.plural.split('_').at(-1) as string]
    const offer = (names: string): Offer => ({
      definedIn,
      words,
      calledAs: method(key, names),
      ofRecords: true,
    })
    return [
      ...resource.operations.map(
        (name) =>
          [
            keyOf(operations[name].method, pathOf(resource, name)),
            offer(name === 'list' ? 'list|all' : name),
          ] as [string, Offer],
      ),
      ...Object.entries(resource.actions).map(
        ([name, { method }]) =>
          [keyOf(method, actionPath(resource, name)), offer(camelCase(name))] as [string, Offer],
      ),
    ]
  })
}

function definitionOf(sources: readonly Source[], { name, plural }: Resource): string {
  const written = (text: string) => text.includes(`name: '${name}'`) && text.includes(`plural: '${plural}'`)
  const found = sources.find(
    ({ path, text }) => path.startsWith('packages/contract/src/resources/') && written(text),
  )
  if (!found) throw new Error(`No file of packages/contract/src/resources defines ${plural}.`)
  return found.path
}

const routes = /^packages\/server\/src\/(oauth|login|playback|uploads)\/(?!.*\.test\.ts)/

/** Operations that are not about records: tokens, players, manifests. A test calls them by their path. */
function otherOffers(sources: readonly Source[]): [string, Offer][] {
  const { paths } = openApi({ apiUrl: 'https://api.example.com', version: '' })
  return Object.entries(paths).flatMap(([path, methods]) => {
    const route = path.replace(/\.m3u8$/, '').replace(/\{(\w+)\}/g, ':$1')
    const file = sources.find(({ path: at, text }) => routes.test(at) && text.includes(`'${route}'`))
    const literal = path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '\\$\\{[^}]+\\}')
    const offer: Offer = {
      definedIn: file?.path ?? '',
      words: [path.split(/[/{.]/)[1] as string, file?.path.split('/').at(-2) ?? ''],
      calledAs: new RegExp(`[\`'"}]${literal}(?![\\w/])`),
      ofRecords: false,
    }
    return file
      ? Object.keys(methods).map((verb) => [keyOf(verb.toUpperCase(), path), offer] as [string, Offer])
      : []
  })
}

export interface Covered {
  readonly operation: HostedOperation
  readonly definedIn: string
  /** The files whose tests call it, its own tests first. */
  readonly tests: readonly string[]
}

export interface Coverage {
  readonly offered: readonly Covered[]
  readonly missing: readonly HostedOperation[]
}

const tested = /^test\/(api|pipeline|sessions)\/(?!not-offered).*\.test\.ts$/

/** Returns which operations of the hosted service we offer, and which are missing. */
export function coverageOf(sources: readonly Source[]): Coverage {
  const offers = new Map([...otherOffers(sources), ...resourceOffers(sources)])
  const tests = sources.filter(({ path }) => tested.test(path))
  const covered = hostedOperations.map((operation) => {
    const offer = offers.get(keyOf(operation.method, operation.path))
    return { operation, definedIn: offer?.definedIn ?? '', tests: offer ? callersOf(offer, tests) : [] }
  })
  return {
    offered: covered.filter(({ definedIn }) => definedIn !== ''),
    missing: covered.filter(({ definedIn }) => definedIn === '').map(({ operation }) => operation),
  }
}

function callersOf({ calledAs, words, ofRecords }: Offer, tests: readonly Source[]): string[] {
  const isOwn = ({ path }: Source) => words.some((word) => path.includes(`/${word}`))
  const callers = tests.filter(({ text }) => calledAs.test(text))
  const found = [...callers.filter(isOwn), ...callers.filter((each) => !isOwn(each))]
  return [...found.map(({ path }) => path), ...(ofRecords ? [callsAll] : [])]
}
