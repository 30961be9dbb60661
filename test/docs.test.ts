import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import type { Credentials } from '../packages/server/src/auth/first-run.js'
import { commands } from '../packages/server/src/commands/index.js'
import { welcome } from '../packages/server/src/commands/welcome.js'
import { readConfig } from '../packages/server/src/config/config.js'
import { jobs } from '../packages/server/src/jobs/index.js'
import { openApi } from '../packages/server/src/reference/openapi/document.js'
import { startApi, type TestApi } from './support/api.js'
import { anchorsOf, blocksOf, linksOf, type Page, readPage, readPages, root } from './support/markdown.js'
import { repeatedTables } from './support/repeated-tables.js'

const run = promisify(execFile)
let api: TestApi
let folder: string
before(async () => {
  api = await startApi()
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-docs-'))
})
after(async () => {
  await api.stop()
  await rm(folder, { recursive: true, force: true })
})

for (const { what, page, table } of repeatedTables)
  test(`${page} says ${what} as the code does`, async () => {
    const { text } = await readPage(page)
    const missing = table.split('\n').filter((row) => !text.includes(row))
    assert.deepEqual(missing, [], 'These rows are missing or different. Run `npm run generate -- docs`.')
    assert.ok(text.includes(`\n\n${table}\n\n`), `the table should be exactly:\n\n${table}`)
  })

test('every endpoint of the OpenAPI document is named, those of the platform in the guide for operators', async () => {
  const [conventions, operate] = await Promise.all(
    ['docs/api/conventions.md', 'docs/guide/operate.md'].map(readPage),
  )
  const { paths } = openApi({ apiUrl: 'https://video.example.org', version: 'test' })
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      request: `\`${method.toUpperCase()} ${path}\``,
      page: (operation as { tags: string[] }).tags.includes('Platform') ? operate : conventions,
    })),
  )
  assert.ok(endpoints.length > 10)
  const missing = endpoints.filter(({ request, page }) => !page?.text.includes(request))
  assert.deepEqual(
    missing.map(({ request, page }) => `${request} in ${page?.path}`),
    [],
  )
})

test('every command is documented as it is typed, with its sentence', async () => {
  const { text } = await readPage('docs/guide/channels-and-keys.md')
  const plain = text.replaceAll('\\|', '|').replaceAll('`', '')
  const missing = Object.values(commands).filter(
    ({ usage, about }) => !plain.includes(`| ${usage} | ${about.replaceAll('`', '')} |`),
  )
  assert.deepEqual(
    missing.map(({ usage, about }) => `${usage}: ${about}`),
    [],
  )
})

test('every run-time dependency has its line among the decisions', async () => {
  const { text } = await readPage('docs/decisions/0009-run-time-dependencies.md')
  for (const name of ['contract', 'sdk', 'server']) {
    const manifest = JSON.parse(await readFile(join(root, 'packages', name, 'package.json'), 'utf8'))
    const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
    assert.deepEqual(
      names.filter((dependency) => !text.includes(`\`${dependency}\``)),
      [],
      `of ${name}`,
    )
  }
})

test('every job that runs on a schedule is in the table for operators', async () => {
  const { text } = await readPage('docs/guide/operate.md')
  const scheduled = jobs.filter(({ every }) => every !== undefined).map(({ name }) => name)
  assert.ok(scheduled.length > 5)
  assert.deepEqual(
    scheduled.filter((name) => !text.includes(`| \`${name}\` |`)),
    [],
  )
})

test('every metric that the guide for operators names exists', async () => {
  const { text } = await readPage('docs/guide/operate.md')
  const metrics = await (await fetch(`${api.url}/metrics`)).text()
  const named = [...text.matchAll(/`(zoetrope_\w*[a-z])`/g)].map(([, name = '']) => name)
  assert.ok(named.length > 3)
  assert.deepEqual(
    named.filter((name) => !metrics.includes(`# TYPE ${name} `)),
    [],
  )
})

test('every query of the Grafana dashboard and of the alerts is about metrics that exist, and the guide explains every alert', async () => {
  const metrics = await (await fetch(`${api.url}/metrics`)).text()
  const board = JSON.parse(await readFile(join(root, 'deploy/grafana.json'), 'utf8'))
  const panels: { targets: { expr: string }[] }[] = board.panels
  const alerts = await readFile(join(root, 'deploy/alerts.yml'), 'utf8')
  const rules = [...alerts.matchAll(/expr: (.*)/g)].map(([, expr = '']) => expr)
  const queries = [...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...rules]
  assert.ok(panels.length > 10 && rules.length > 8)
  for (const query of queries) {
    const names = query.match(/\bzoetrope_\w+/g) ?? []
    assert.ok(names.length > 0 || query.startsWith('up{'), query)
    for (const name of names)
      assert.match(metrics, new RegExp(`^# TYPE ${name.replace(/_(count|bucket|sum)$/, '')} `, 'm'))
  }
  const { text } = await readPage('docs/guide/operate.md')
  for (const [, name = ''] of alerts.matchAll(/alert: (\w+)/g))
    assert.ok(text.includes(`| \`${name}\` |`), name)
})

test('every metric is named by the rules of Prometheus', async () => {
  const metrics = await (await fetch(`${api.url}/metrics`)).text()
  const types = [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => ({ name, type }))
  assert.ok(types.length > 20)
  for (const { name, type } of types) {
    assert.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`)
    assert.doesNotMatch(name, /_(count|sum|bucket|info_total)$/)
    assert.match(metrics, new RegExp(`^# HELP ${name} \\S`, 'm'))
  }
  assert.match(metrics, /^zoetrope_nodejs_handles \d+$/m)
})

test('every relative link and image leads somewhere', async () => {
  const pages = await readPages()
  assert.ok(pages.length > 20)
  const broken = await Promise.all(pages.map(brokenLinks))
  assert.deepEqual(broken.flat(), [])
})

async function brokenLinks(page: Page): Promise<string[]> {
  const relative = linksOf(page).filter((link) => !/^[a-z]+:/.test(link))
  const verdicts = await Promise.all(relative.map(async (link) => [link, await leadsTo(page, link)] as const))
  return verdicts.filter(([, leads]) => !leads).map(([link]) => `${page.path}: ${link}`)
}

async function leadsTo(page: Page, link: string): Promise<boolean> {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page.path : normalize(join(dirname(page.path), path))
  if (!target.endsWith('.md'))
    return readFile(join(root, target)).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'EISDIR',
    )
  const found = await readPage(target).catch(() => undefined)
  return found !== undefined && (anchor === undefined || anchorsOf(found).includes(anchor))
}

test('README and guide show what the first start says', async () => {
  const folder = '/home/you/zoetrope/data'
  const said = welcome({
    config: { ...readConfig({}).config, dataDir: folder },
    made: {} as Credentials,
    credentialsPath: `${folder}/credentials.json`,
    signInLink: 'http://127.0.0.1:8080/dashboard/welcome#iGT2m7LoWvPqbd1Uj0cXnRhzYk5sAeDfJ83tQwHgCuM',
  })
  for (const path of ['README.md', 'docs/guide/install.md'])
    assert.deepEqual(blocksOf(await readPage(path), 'text')[0]?.trim(), said.trim())
})

test('every TypeScript example type-checks, the examples of a page together', async () => {
  const pages = await Promise.all(['README.md', 'docs/guide/sdk.md', 'packages/sdk/README.md'].map(readPage))
  for (const [index, page] of pages.entries()) {
    const examples = blocksOf(page, 'ts')
    assert.ok(examples.length > 0, page.path)
    await writeFile(join(folder, `page-${index}.mts`), examples.join('\n'))
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(typesConfig))
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch(({ stdout }: { stdout: string }) =>
    assert.fail(`${pages.map(({ path }, index) => `page-${index} is ${path}`).join(', ')}\n${stdout}`),
  )
})

const typesConfig = {
  extends: join(root, 'test/tsconfig.json'),
  include: ['*.mts'],
  compilerOptions: {
    rootDir: '/',
    typeRoots: [join(root, 'node_modules/@types')],
    noUnusedLocals: false,
    paths: { '@zoetrope/*': [join(root, 'packages/*/src/index.ts')] },
  },
}
