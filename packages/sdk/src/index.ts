export type { CallOptions, Client, Page, Pagination } from './client.js'
export { createClient } from './create-client.js'
export type { ClientOptions, Credential } from './options.js'
export { ZoetropeError } from './zoetrope-error.js'
