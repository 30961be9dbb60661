/** What `npm ci` runs last. It says nothing unless something fails. */
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildStale } from './build.mjs'

// Its package gives the right to run it to the owner only, and a service often runs as another user.
const packages = fileURLToPath(new URL('../node_modules', import.meta.url))
const ffprobe = join(packages, '@ffprobe-installer', 'linux-x64', 'ffprobe')
if (existsSync(ffprobe)) chmodSync(ffprobe, 0o755)

await buildStale(() => {}).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
