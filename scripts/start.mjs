/**
 * `npm start`: builds what is older than its sources, then becomes the server. It is the same process, so that a signal to it
 * reaches the server.
 */
import { fileURLToPath } from 'node:url'
import { buildStale } from './build.mjs'

const program = new URL('../packages/server/bin/zoetrope.js', import.meta.url)

try {
  await buildStale((line) => process.stderr.write(`${line}\n`))
} catch (error) {
  process.stderr.write(`${error.message}\nZoetrope was not started, because it could not be built.\n`)
  process.exit(1)
}
// The server starts its workers with the program that it finds here.
process.argv.splice(1, process.argv.length - 1, fileURLToPath(program), 'start', ...process.argv.slice(2))
await import(program.href)
