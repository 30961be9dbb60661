/** `npm run lab -- NAME [options]` runs one of the experiments; `npm run lab` lists them. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { distance } from '../packages/server/src/features/videos/correct-words.js'
import { type Experiment, experiments } from './experiments.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const pathOf = ({ file }: Experiment) => fileURLToPath(new URL(file, import.meta.url))

function list(): string {
  const longest = Math.max(...Object.keys(experiments).map((name) => name.length))
  const lines = Object.entries(experiments).map(([name, { about }]) => `  ${name.padEnd(longest)}  ${about}`)
  return ['npm run lab -- NAME [options]', '', ...lines, '', '--help after a name prints its options.'].join(
    '\n',
  )
}

/** Returns the usage of an experiment: its options, and the comment at the top of its file. */
function usageOf(name: string, experiment: Experiment): string {
  const [comment = ''] = /^\/\*\*[\s\S]*?\*\//.exec(readFileSync(pathOf(experiment), 'utf8')) ?? []
  const text = comment.replace(/^\/\*\*\s*(\* )?|\s*\*\/$/g, '').replace(/^ \* /gm, '')
  return `npm run lab -- ${[name, experiment.options].filter(Boolean).join(' ')}\n\n${text}`
}

/** Returns the names that somebody may have meant. `bench:media` was a command once. */
function similarTo(wrong: string): string[] {
  const name = wrong.replaceAll(':', '-')
  const names = Object.keys(experiments)
  const exact = names.filter((other) => other === name)
  const near = names.filter((other) => distance(name, other) <= 2)
  const within = names.filter((other) => other.split('-').includes(name))
  return [exact, near, within].find((found) => found.length > 0) ?? []
}

function refuse(name: string): never {
  const similar = similarTo(name)
  const advice = similar.length > 0 ? `Did you mean ${similar.join(' or ')}?` : '`npm run lab` lists all.'
  console.error(`There is no experiment "${name}". ${advice}`)
  process.exit(1)
}

const [name = '--help', ...args] = process.argv.slice(2)
const experiment = Object.hasOwn(experiments, name) ? experiments[name] : undefined
if (name === '--help') console.log(list())
else if (!experiment) refuse(name)
else if (args.includes('--help')) console.log(usageOf(name, experiment))
else {
  process.chdir(root)
  // Servers under test are compiled ones.
  execFileSync(process.execPath, ['scripts/prepare.mjs'], { stdio: 'inherit' })
  process.argv.splice(1, process.argv.length - 1, pathOf(experiment), ...args)
  await import(pathOf(experiment))
}
