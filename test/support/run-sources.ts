/** The arguments with which Node runs a source file of ours in a process of its own. */
export const runSources = ['--import', new URL('../../scripts/typescript.mjs', import.meta.url).href]
