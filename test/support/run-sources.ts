/** The arguments with which Node runs one of our source files in its own process. */
export const runSources = ['--import', new URL('../../scripts/typescript.mjs', import.meta.url).href]
