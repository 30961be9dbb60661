import { randomBytes } from 'node:crypto'
import type { S3Settings } from '../../packages/server/src/config/storage-url.js'
import { startS3, type TestS3 } from './s3.js'
import { note } from './secrets.js'

/** What tests may use of every S3 server. */
export type AnyS3 = Pick<TestS3, 'port' | 'settings' | 'stop'>

/** An empty prefix in the S3 server that TEST_S3 describes (`npm run lab -- try-s3` sets it), otherwise a server in memory. */
export async function startAnyS3(): Promise<AnyS3> {
  const given = process.env.TEST_S3
  if (!given) return startS3()
  const server = JSON.parse(given) as S3Settings
  note(server.credentials?.secretAccessKey ?? '')
  const prefix = `zoetrope-${randomBytes(6).toString('hex')}`
  return {
    port: Number(server.host.split(':')[1]),
    settings: (changes) => ({ ...server, prefix, ...changes }),
    async stop() {},
  }
}
