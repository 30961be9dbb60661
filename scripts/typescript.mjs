/**
 * Lets Node run our TypeScript as it is: `node --import ./scripts/typescript.mjs file.ts`. Threads of Node 20 inherit no
 * loader, so code that starts one has to name this file again.
 */
import { register } from 'node:module'

register('./typescript-hooks.mjs', import.meta.url)
process.setSourceMapsEnabled(true)
