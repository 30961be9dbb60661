export { embed } from './embed.js'
export type { PlayerOptions } from './options.js'
export { definePlayer, ZoetropePlayer } from './player-element.js'
export type { ProblemCode } from './problems.js'
