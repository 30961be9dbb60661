import { createPublisher } from '@zoetrope/sdk'

/** The server that this page came from. */
export const origin = window.location.origin

/** For those who have not signed in yet. */
export const visitor = createPublisher({ url: origin, retries: 0 })
