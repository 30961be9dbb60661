/**
 * Generates a client from /openapi.json with each of four generators, checks its types with `strict`, and calls a
 * running server with it. Then lints the document with Redocly and Spectral. Writes bench/results/generators.md. The
 * tools are installed into node_modules/.cache/generators: together they are larger than everything else here, and no
 * test needs them.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { circumstances } from '../long-run.js'
import { startZoetrope } from '../processes.js'
import { type Generator, generators } from './generators/programs.js'

const tools = fileURLToPath(new URL('../../node_modules/.cache/generators', import.meta.url))
const linters = { redocly: '@redocly/cli@2.73.0', spectral: '@stoplight/spectral-cli@6.16.3' }
const further = ['typescript@5.9.3', ...Object.values(linters)]
const strict = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: ['node'] },
    ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'] },
    ...{ module: 'esnext', moduleResolution: 'bundler' },
  },
  include: ['use.ts', 'client'],
}

interface Outcome {
  readonly name: string
  readonly step: string
  readonly trouble: string
}

/** Runs a tool. Returns the end of its output if it failed. */
async function trouble(folder: string, command: string, args: readonly string[], env: object = {}) {
  const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1e8 }
  try {
    await promisify(execFile)(command, args, options)
    return ''
  } catch (error) {
    const { stdout, stderr, message } = error as { stdout?: string; stderr?: string; message: string }
    return `${stdout ?? ''}${stderr ?? ''}`.trim().slice(0, 2000) || message
  }
}

async function bundle(folder: string): Promise<string> {
  const [from, to] = [join(folder, 'use.ts'), join(folder, 'use.mjs')]
  const made = build({ entryPoints: [from], outfile: to, bundle: true, platform: 'node', format: 'esm' })
  return made.then(
    () => '',
    (error: Error) => error.message,
  )
}

const tool = (name: string) => join(tools, 'node_modules', '.bin', name)

async function tryGenerator(
  { name, command, files, program }: Generator,
  document: string,
  env: { readonly ZOETROPE_URL: string; readonly ZOETROPE_KEY: string },
): Promise<Outcome> {
  const folder = join(tools, name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'client'), { recursive: true })
  const written = {
    'openapi.json': document,
    'package.json': '{"type":"module"}',
    'tsconfig.json': JSON.stringify(strict),
    'use.ts': program,
    ...files?.(env.ZOETROPE_URL),
  }
  for (const [file, text] of Object.entries(written)) await writeFile(join(folder, file), text)
  const [executable = '', ...args] = command
  const steps: readonly (readonly [string, () => Promise<string>])[] = [
    ['generate', () => trouble(folder, tool(executable), args)],
    ['compile', () => trouble(folder, tool('tsc'), ['-p', '.'])],
    ['bundle', () => bundle(folder)],
    ['call', () => trouble(folder, process.execPath, ['use.mjs'], env)],
  ]
  for (const [step, run] of steps) {
    const failed = await run()
    console.log(`${name}: ${step} ${failed ? `failed\n${failed}` : 'works'}`)
    if (failed) return { name, step, trouble: failed }
  }
  return { name, step: '', trouble: '' }
}

async function lint(document: string): Promise<Outcome[]> {
  await writeFile(join(tools, 'openapi.json'), document)
  await writeFile(join(tools, '.spectral.yaml'), 'extends: ["spectral:oas"]\n')
  const found = [
    { name: 'Redocly', trouble: await trouble(tools, tool('redocly'), ['lint', 'openapi.json']) },
    {
      name: 'Spectral',
      trouble: await trouble(tools, tool('spectral'), ['lint', 'openapi.json', '-F', 'error', '-D']),
    },
  ]
  for (const each of found) console.log(`${each.name}: ${each.trouble || 'no errors'}`)
  return found.map((each) => ({ ...each, step: 'lint' }))
}

await mkdir(tools, { recursive: true })
await writeFile(join(tools, 'package.json'), '{"private":true}')
console.log('Installing the generators…')
const packages = [...generators.flatMap((generator) => generator.packages), ...further, '@types/node@20']
const failed = await trouble(tools, 'npm', [
  'install',
  '--no-audit',
  '--no-fund',
  '--ignore-scripts',
  ...packages,
])
if (failed && !/^npm warn/.test(failed)) throw new Error(failed)

const data = await mkdtemp(join(tmpdir(), 'zoetrope-generators-'))
const server = await startZoetrope(data, { WORKERS: '0' })
try {
  const { keys } = JSON.parse(await readFile(join(data, 'credentials.json'), 'utf8')) as {
    keys: { admin: string }
  }
  const document = await (await fetch(`${server.url}/openapi.json`)).text()
  const env = { ZOETROPE_URL: server.url, ZOETROPE_KEY: keys.admin }
  const outcomes: Outcome[] = []
  for (const generator of generators) outcomes.push(await tryGenerator(generator, document, env))
  const lints = await lint(document)
  const rows = outcomes.map(({ name, step }, index) => {
    const { packages: used = [] } = generators[index] ?? {}
    return `| ${name} | ${used.join(', ')} | ${step ? `fails to ${step}` : 'generates, compiles with `strict`, and works'} |`
  })
  const report = [
    '# Generated clients',
    '',
    `${circumstances('npm run lab -- try-generators')}.`,
    '',
    'Each makes a client from `/openapi.json`. A program of ours creates, changes, lists, reads and removes a video with it, and reads',
    'an error, against a running server.',
    '',
    '| Generator | Versions | Result |',
    '|---|---|---|',
    ...rows,
    '',
    ...lints.map(
      ({ name, trouble: found }) =>
        `${name} (${name === 'Redocly' ? linters.redocly : linters.spectral}): ${found ? 'errors' : 'no errors'}.`,
    ),
    '',
  ].join('\n')
  await writeFile(new URL('../../bench/results/generators.md', import.meta.url), report)
  if ([...outcomes, ...lints].some(({ trouble: found }) => found)) process.exitCode = 1
} finally {
  await server.stop()
  await rm(data, { recursive: true, force: true })
}
