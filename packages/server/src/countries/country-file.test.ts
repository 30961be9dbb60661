import assert from 'node:assert/strict'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { writeMmdb } from '../../../../test/support/mmdb.js'
import { openCountryFile } from './country-file.js'
import { createGeoLookup } from './geo-lookup.js'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-countries-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const fileOf = (iso_code: string) => writeMmdb({ networks: [['192.0.2.0/24', { country: { iso_code } }]] })

test('a replaced file is read again; a broken replacement is ignored and reported', async () => {
  const path = join(folder, 'country.mmdb')
  await writeFile(path, fileOf('DE'))
  const errors: unknown[] = []
  const file = await openCountryFile(path, (error) => errors.push(error), 10)
  const places = createGeoLookup({ file, trustedProxies: [] })
  const country = () => places.find('192.0.2.1').country
  const put = async (bytes: Buffer) => {
    await writeFile(`${path}.new`, bytes)
    await rename(`${path}.new`, path)
  }
  const until = async (isSo: () => boolean) => {
    for (let tries = 0; tries < 3000 && !isSo(); tries += 1) await delay(10)
    assert.ok(isSo())
  }
  assert.equal(country(), 'DE')
  assert.deepEqual(places.find('192.0.3.1'), {})
  await put(Buffer.concat([fileOf('FR'), Buffer.from(' ')]))
  await until(() => country() === 'FR')
  await put(Buffer.from('broken'))
  await until(() => errors.length > 0)
  assert.match(String(errors[0]), /COUNTRY_FILE .* cannot be used: it is not a file in the MaxMind DB format/)
  assert.equal(country(), 'FR')
  file.close()
})

test('an unreadable file is explained in a sentence', async () => {
  const missing = join(folder, 'missing.mmdb')
  await assert.rejects(
    openCountryFile(missing, () => {}),
    /COUNTRY_FILE .*missing\.mmdb cannot be read: ENOENT/,
  )
})
