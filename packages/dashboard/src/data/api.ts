import { createPublisher } from '@zoetrope/sdk'

/** The server that this page came from. */
export const origin = window.location.origin

/** The client for people who are not signed in. */
export const visitor = createPublisher({ url: origin, retries: 0 })
