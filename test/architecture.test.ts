import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { catalog } from '@zoetrope/contract'
import {
  type Arrow,
  arrowsOf,
  codeLines,
  cycleAmong,
  readSources,
  type Source,
  withoutComments,
} from './support/sources.js'

/** The rules. A change here changes the architecture and needs a decision in docs/decisions. */
const rules = {
  /** The layers of packages/server/src, from the bottom up: imports point down or stay within a folder. */
  floors: [
    ['@zoetrope/contract'],
    ['db', 'config', 'errors', 'lib', 'version'],
    ['auth', 'queue', 'lists', 'installation', 'mail', 'media', 'storage', 'fetching', 'countries'],
    ['resources', 'media-segments'],
    ['films'],
    ['library', 'webhooks'],
    ['features', 'jobs'],
    ['edge'],
    ['api'],
    ['oauth', 'login', 'publishers', 'uploads', 'playback', 'dashboard', 'reference'],
    ['app', 'platform', 'open-media'],
    ['commands'],
    ['command-line'],
    ['main'],
  ],
  /** The one import allowed within a layer: features enqueue jobs. */
  neighbours: ['features → jobs'],
  /** Rooms that import less than their floor allows: the entries that each may import. */
  narrow: {
    /** It knows sockets and no resources. */
    edge: ['db', 'errors', 'lib', '@zoetrope/contract'],
    /** It gets features as arguments. */
    api: ['edge', 'resources', 'auth', 'lists', 'storage', 'db', 'errors', 'lib', '@zoetrope/contract'],
  },
  /** The edge uses numbers and codes of the contract, and no resource. */
  edgeUses: ['limits', 'statuses', 'ErrorStatus'],
  /** Nothing on a request's path imports the reference. */
  reference: /^(reference\/|app\.ts$)/,
  /** What each package may import besides itself. `npm` means third-party packages and Node's own modules. */
  packages: {
    contract: [],
    dashboard: [
      ...['@zoetrope/contract', '@zoetrope/contract/outline', '@zoetrope/contract/words/*'],
      ...['@zoetrope/sdk', 'npm'],
    ],
    player: ['npm'],
    sdk: ['@zoetrope/contract', '@zoetrope/contract/outline'],
    server: ['@zoetrope/contract', 'npm'],
  },
  /** Modules that only their owners, below packages/server/src, may import. */
  owners: [
    {
      what: /^(fastify|@fastify\/.*)$/,
      by: /^((edge|api|reference|oauth|login|publishers|uploads|playback|dashboard)\/|app\.ts$)/,
    },
    { what: /^pg$/, by: /^(db\/|queue\/connections\.ts$)/ },
    { what: /^(node:)?child_process$/, by: /^((db\/embedded|media)\/|commands\/worker-processes\.ts$)/ },
    {
      what: /^(node:)?fs(\/.*)?$/,
      by: /^((db|installation|mail|media|storage|uploads|dashboard|reference)\/|countries\/country-file\.ts$|playback\/player-script\.ts$|version\.ts$)/,
    },
    { what: /^(node:)?(https|dns)(\/.*)?$/, by: /^fetching\// },
  ],
  environment: /^main\.ts$/,
  /** Lines of code in all files of the engine, packages/server/src/resources. */
  engineLines: 850,
  longestFile: 300,
  longestTest: 400,
  bannedNames: /^(utils?|helpers?|common|misc|manager)$/i,
} as const

const server = 'packages/server/src/'
const isTest = (path: string) => path.endsWith('.test.ts') || path.startsWith('packages/sdk/test/')

/** Returns the layer's entry that a target belongs to: a folder or a file of the server, or the contract. */
const entryOf = (path: string) =>
  path.startsWith('@') ? path : (path.replace(server, '').replace(/\.ts$/, '').split('/')[0] ?? '')
const floorOf = (entry: string) =>
  rules.floors.findIndex((names) => (names as readonly string[]).includes(entry))
const isOurs = (path: string) => path.startsWith('packages/') || path.startsWith('@zoetrope/')

function wrongFloors(arrows: readonly Arrow[]): string[] {
  return arrows.flatMap(({ from, to }) => {
    if (!from.startsWith(server) || !isOurs(to)) return []
    const [above, below] = [entryOf(from), entryOf(to)]
    if (floorOf(above) < 0) return [`${from} is on no floor`]
    if (above === below || rules.neighbours.some((drawn) => drawn === `${above} → ${below}`)) return []
    return floorOf(below) >= 0 && floorOf(below) < floorOf(above) ? [] : [`${from} → ${to}`]
  })
}

function wrongRooms(arrows: readonly Arrow[]): string[] {
  return arrows.flatMap(({ from, to }) => {
    if (!from.startsWith(server) || !isOurs(to)) return []
    const [above, below] = [entryOf(from), entryOf(to)]
    const allowed: readonly string[] | undefined = rules.narrow[above as keyof typeof rules.narrow]
    const isNarrow = allowed && above !== below && !allowed.includes(below)
    const isHidden = below === 'reference' && !rules.reference.test(from.replace(server, ''))
    return isNarrow || isHidden ? [`${from} → ${to}`] : []
  })
}

/** Returns the names that a file imports from the contract. */
const usesOfContract = (text: string): string[] =>
  [...withoutComments(text).matchAll(/import (?:type )?\{([^}]*)\} from '@zoetrope\/contract'/g)].flatMap(
    ([, names = '']) => names.match(/\w+/g)?.filter((name) => name !== 'type') ?? [],
  )

function wrongPackages(arrows: readonly Arrow[]): string[] {
  return arrows.flatMap(({ from, to }) => {
    const name = from.split('/')[1] as keyof typeof rules.packages
    const allowed: readonly string[] = rules.packages[name] ?? []
    // The texts of forms are one file for each kind of record.
    const what = isOurs(to) ? to.replace(/\/words\/[^/]+$/, '/words/*') : 'npm'
    return to.startsWith(`packages/${name}/`) || allowed.includes(what) ? [] : [`${from} → ${to}`]
  })
}

function wrongOwners(arrows: readonly Arrow[]): string[] {
  return arrows.flatMap(({ from, to }) =>
    from.startsWith(server) &&
    rules.owners.some(({ what, by }) => what.test(to) && !by.test(from.replace(server, '')))
      ? [`${from} → ${to}`]
      : [],
  )
}

/** Returns the words of some code, with identifiers split: createVideo → create, video. */
const wordsIn = (code: string): string[] =>
  (code.match(/[A-Za-z]+/g) ?? [])
    .flatMap((word) => word.split(/(?<=[a-z])(?=[A-Z])/))
    .map((word) => word.toLowerCase())

const resourceNames = new Set(
  Object.entries(catalog).flatMap(([key, { name, plural }]) =>
    [key, name, plural].map((word) => word.toLowerCase()),
  ),
)
const namedIn = (code: string) => wordsIn(withoutComments(code)).filter((word) => resourceNames.has(word))

/** Returns whether a statement in this code assigns the status of videos. */
const writesStatus = (code: string): boolean =>
  (withoutComments(code).match(/\bupdate videos( as \w+)?\s+set\b(?:(?!\bwhere\b)[^`])*/g) ?? []).some(
    (statement) => /[\s,]status = /.test(statement),
  )

/** Returns type names that are declared more than once, with the files that declare them. */
function repeatedTypes(sources: readonly Source[]): string[] {
  const files = new Map<string, string[]>()
  for (const { path, text } of sources)
    for (const [, name = ''] of withoutComments(text).matchAll(
      /^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm,
    ))
      files.set(name, [...(files.get(name) ?? []), path.replace(server, '')])
  return [...files]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name}: ${paths.join(', ')}`)
}

let all: Source[]
let code: Source[]
let arrows: Arrow[]
before(async () => {
  all = await readSources('packages', 'test', 'scripts', 'lab')
  code = all.filter(({ path }) => path.startsWith('packages/') && !isTest(path))
  arrows = code.flatMap(arrowsOf)
})

test('imports of the server point to lower floors or stay within a folder', () => {
  assert.ok(arrows.length > 100, `only ${arrows.length} imports were found`)
  assert.deepEqual(wrongFloors(arrows), [])
})

test('the edge and the API import only what they need, and nothing but the app the reference', () => {
  assert.deepEqual(wrongRooms(arrows), [])
})

test('the edge knows no resource', () => {
  const uses = code
    .filter(({ path }) => path.startsWith(`${server}edge/`))
    .flatMap(({ path, text }) => usesOfContract(text).map((name) => ({ path, name })))
  assert.ok(uses.length > 0)
  assert.deepEqual(
    uses.filter(({ name }) => !(rules.edgeUses as readonly string[]).includes(name)),
    [],
  )
})

test('the contract imports nothing, the SDK only the contract, and nobody the server', () => {
  assert.deepEqual(wrongPackages(arrows), [])
})

test('there is no cycle of imports, types included', () => {
  assert.deepEqual(cycleAmong(arrows), [])
})

test('only its own test imports the lab', () => {
  const users = all
    .filter(({ path }) => !path.startsWith('lab/') && path !== 'test/lab.test.ts')
    .flatMap(arrowsOf)
    .filter(({ to }) => to.startsWith('lab/') || to === '@zoetrope/lab')
  assert.deepEqual(users, [])
})

test('the web framework, the driver, child processes and the file system have one owner each', () => {
  assert.deepEqual(wrongOwners(arrows), [])
})

test('only main reads the environment', () => {
  const readers = code.filter(
    ({ path, text }) =>
      /\bprocess\.env\b/.test(withoutComments(text)) && !rules.environment.test(path.replace(server, '')),
  )
  assert.deepEqual(
    readers.map(({ path }) => path),
    [],
  )
})

test('jobs holds only jobs', () => {
  const others = code
    .map(({ path }) => path.replace(server, ''))
    .filter((path) => path.startsWith('jobs/') && !/^jobs\/(define-job|index|[\w-]+\.job)\.ts$/.test(path))
  assert.deepEqual(others, [])
})

test('only films/status.ts writes the status of videos', () => {
  const writers = code.filter(({ path, text }) => path.startsWith(server) && writesStatus(text))
  assert.deepEqual(
    writers.map(({ path }) => path.replace(server, '')),
    ['films/status.ts'],
  )
})

test('no type name of the server is declared twice', () => {
  assert.deepEqual(repeatedTypes(code.filter(({ path }) => path.startsWith(server))), [])
})

test('the engine knows no resource by name', () => {
  const engine = code.filter(({ path }) => path.startsWith(`${server}resources/`))
  const named = engine.flatMap(({ path, text }) => namedIn(text).map((word) => `${path}: ${word}`))
  assert.deepEqual(named, [])
})

test('the engine stays within its budget', (context) => {
  const engine = code.filter(({ path }) => path.startsWith(`${server}resources/`))
  const lines = engine.reduce((sum, { text }) => sum + codeLines(text), 0)
  context.diagnostic(`The engine has ${lines} lines of code; its budget is ${rules.engineLines}.`)
  assert.ok(lines > 0 && lines <= rules.engineLines, `${lines} lines`)
})

test('no file is longer than 300 lines, and no test than 400', () => {
  const limitOf = (path: string) =>
    /^test\/|\.test\.tsx?$/.test(path) ? rules.longestTest : rules.longestFile
  const long = all.filter(({ path, text }) => text.split('\n').length - 1 > limitOf(path))
  assert.deepEqual(
    long.map(({ path }) => path),
    [],
  )
})

test('nothing is exported as the default', () => {
  const found = all.filter(({ text }) => /^export default\b/m.test(withoutComments(text)))
  assert.deepEqual(
    found.map(({ path }) => path),
    [],
  )
})

test('no file or folder has a name that says nothing', () => {
  const empty = all.filter(({ path }) =>
    path.split('/').some((name) => rules.bannedNames.test(name.replace(/\..*$/, ''))),
  )
  assert.deepEqual(
    empty.map(({ path }) => path),
    [],
  )
})

test('the rules detect a wrong import, a cycle and a resource name in the engine', () => {
  const source = (path: string, text: string): Source => ({ path, text })
  const wrong = arrowsOf(
    source(
      `${server}auth/keys.ts`,
      `import fastify from 'fastify'\nimport type {\n  Page,\n} from '../resources/pages.js'\nimport '../lists/counts.js'`,
    ),
  )
  assert.deepEqual(wrongFloors(wrong), [
    `${server}auth/keys.ts → ${server}resources/pages.ts`,
    `${server}auth/keys.ts → ${server}lists/counts.ts`,
  ])
  assert.deepEqual(wrongOwners(wrong), [`${server}auth/keys.ts → fastify`])
  assert.deepEqual(
    wrongFloors(arrowsOf(source(`${server}jobs/a.ts`, `import { f } from '../features/index.js'`))),
    [`${server}jobs/a.ts → ${server}features/index.ts`],
  )
  assert.deepEqual(
    wrongFloors(arrowsOf(source(`${server}features/a.ts`, `import { j } from '../jobs/index.js'`))),
    [],
  )
  assert.deepEqual(
    wrongRooms(
      ['edge', 'api', 'playback'].flatMap((room) =>
        arrowsOf(
          source(
            `${server}${room}/a.ts`,
            `import '../features/index.js'\nimport '../reference/openapi/document.js'`,
          ),
        ),
      ),
    ),
    [
      ...['edge', 'api'].flatMap((room) => [
        `${server}${room}/a.ts → ${server}features/index.ts`,
        `${server}${room}/a.ts → ${server}reference/openapi/document.ts`,
      ]),
      `${server}playback/a.ts → ${server}reference/openapi/document.ts`,
    ],
  )
  assert.deepEqual(usesOfContract(`import { type Resource, limits } from '@zoetrope/contract'`), [
    'Resource',
    'limits',
  ])
  assert.deepEqual(
    wrongPackages(arrowsOf(source('packages/sdk/src/a.ts', `export * from '../../server/src/app.js'`))),
    ['packages/sdk/src/a.ts → packages/server/src/app.ts'],
  )
  assert.ok(writesStatus("update videos set title = 'A', status = 'ready' where _id = '1'"))
  assert.ok(!writesStatus("update videos set title = 'A' where status = 'ready'"))
  assert.deepEqual(
    repeatedTypes([
      source(`${server}a.ts`, 'interface Row {}\n// interface Line {}'),
      source(`${server}b.ts`, 'export type Row = string\ntype Line = string'),
    ]),
    ['Row: a.ts, b.ts'],
  )
  const circle = ['a', 'b', 'c'].map((name, index) =>
    source(`packages/sdk/src/${name}.ts`, `import type { X } from './${['b', 'c', 'a'][index]}.js'`),
  )
  assert.deepEqual(
    cycleAmong(circle.flatMap(arrowsOf)).map((path) => path.at(-4)),
    ['a', 'b', 'c', 'a'],
  )
  assert.deepEqual(namedIn(`// video in words is fine\nconst makeVideo = 'videos'`), ['video', 'videos'])
})
