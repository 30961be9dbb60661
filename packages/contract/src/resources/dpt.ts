import { flag } from '../fields.js'

/** Asked by apps that show only what can be watched where they are. */
export const dpt = flag({ about: 'Leaves out what content rules keep from the caller.' })
