import { flag } from '../fields.js'

/** For apps that show only videos that can be watched where they run. */
export const dpt = flag({ about: 'Leaves out records that content rules deny to the caller.' })
