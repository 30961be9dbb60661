/**
 * What `npm pack -w @zoetrope/server` runs before and after it: puts what the server needs beside it, so that the package
 * works alone. The contract is bundled, because it is in no registry; the dashboard and the player come as they were built.
 */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildStale } from './build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    remove: { type: 'boolean', default: false },
    /** Another copy of the server's package. */
    to: { type: 'string', default: join(root, 'packages/server') },
  },
})

/** What is copied, and where to. */
const copies = [
  ['packages/contract/package.json', 'node_modules/@zoetrope/contract/package.json'],
  ['packages/contract/dist', 'node_modules/@zoetrope/contract/dist'],
  ['packages/dashboard/dist', 'web/dashboard'],
  ['packages/player/dist/zoetrope-player.js', 'web/zoetrope-player.js'],
  ['LICENSE', 'LICENSE'],
  ['NOTICE', 'NOTICE'],
]

const isShipped = (path) => !/\.(d\.ts|map|tsbuildinfo)$/.test(path)

function remove() {
  for (const path of ['node_modules/@zoetrope', 'web', 'LICENSE', 'NOTICE'])
    rmSync(join(values.to, path), { recursive: true, force: true })
}

remove()
if (!values.remove) {
  await buildStale((text) => process.stderr.write(`${text}\n`))
  for (const [from, to] of copies)
    cpSync(join(root, from), join(values.to, to), { recursive: true, filter: isShipped })
}
