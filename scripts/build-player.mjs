/** Builds the player: `npm run build -- player`. One script for pages as they are, one for bundlers. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { leaveOutUnused } from './leave-out-unused.mjs'

const folder = fileURLToPath(new URL('../packages/player', import.meta.url))
const dist = join(folder, 'dist')

const bundle = (options) =>
  build({
    absWorkingDir: folder,
    entryPoints: ['src/script.ts'],
    bundle: true,
    minify: true,
    target: 'es2022',
    conditions: ['zoetrope:source'],
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [leaveOutUnused],
    ...options,
  })

await Promise.all([
  bundle({ format: 'iife', globalName: 'Zoetrope', outfile: join(dist, 'zoetrope-player.js') }),
  bundle({ format: 'esm', outfile: join(dist, 'zoetrope-player.mjs') }),
])
