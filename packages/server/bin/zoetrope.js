#!/usr/bin/env -S node --max-semi-space-size=8 --max-old-space-size=256
// The two numbers keep the server below 150 MB after heavy load (bench/README.md); long work is done in other processes.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

// Node 22 and later keep compiled code, which makes the next start quicker. In a folder of our own: others can write to the
// usual one, and what it holds is run.
module.enableCompileCache?.(fileURLToPath(new URL('../dist/.compile-cache', import.meta.url)))
try {
  await import('../dist/main.js')
} catch (error) {
  // The words of @node-rs/argon2, of which npm installs the compiled part as an optional package.
  if (!/native binding/.test(error?.message)) throw error
  process.stderr.write(
    'The compiled part of @node-rs/argon2, which hashes passwords, is not installed. Run `npm ci` without --omit=optional.\n',
  )
  process.exit(1)
}
