import { type Client, createClient, signIn, ZoetropeError } from '@zoetrope/sdk'
import type { Format, TestApi, TestConsumer } from '../support/api.js'
import { xmlFetch } from '../support/xml-fetch.js'

/** Creates a client that calls as a signed-in consumer. */
export const asViewer = (
  url: string,
  { access_token }: Pick<TestConsumer, 'access_token'>,
  format: Format = 'json',
): Client =>
  createClient({
    url,
    accessToken: access_token,
    retries: 0,
    ...(format === 'xml' ? { fetch: xmlFetch } : {}),
  })

/** Returns the channel's app as the SDK's sign-in functions expect it. */
export const clientOf = ({ url, channel }: Pick<TestApi, 'url' | 'channel'>) => ({
  url,
  clientId: channel.app.client_id,
  clientSecret: channel.app.client_secret,
  retries: 0,
})

/** Whether these credentials are accepted. Throws any error other than `invalid_grant`. */
export async function canSignIn(api: TestApi, username: string, password: string): Promise<boolean> {
  try {
    await signIn({ ...clientOf(api), username, password })
    return true
  } catch (error) {
    if (error instanceof ZoetropeError && error.code === 'invalid_grant') return false
    throw error
  }
}
