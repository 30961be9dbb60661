/** What `npm ci` runs last. It says nothing unless something fails. */
import { buildStale } from './build.mjs'

await buildStale(() => {}).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
