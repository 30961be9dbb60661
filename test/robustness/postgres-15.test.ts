/** Debian's PostgreSQL 15, the oldest supported version, in addition to the bundled one. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { appendLog } from '../support/log-files.js'
import { forgetful } from '../support/postgres.js'
import { proofs } from '../support/postgres-proof.js'

const binaries = { folder: '/usr/lib/postgresql/15', version: '15' }
const skip = existsSync(join(binaries.folder, 'bin/initdb')) ? false : 'postgresql-15 is not installed'

describe("Debian's PostgreSQL 15", { skip }, () => {
  let folder: string
  let postgres: EmbeddedPostgres
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zoetrope-postgres-15-'))
    postgres = await startEmbeddedPostgres({
      folder: join(folder, 'postgres'),
      log: (line) => appendLog('postgresql', `${line}\n`),
      settings: forgetful,
      binaries,
    })
  })
  after(async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  })

  for (const [name, prove] of Object.entries(proofs)) test(name, () => prove(postgres.connection))
})
