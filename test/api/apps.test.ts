import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { listKeys } from '../../packages/server/src/auth/keys.js'
import { formats, logged, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const status = async (app_key: string) => (await ask(`${api.url}/videos?app_key=${app_key}`)).status

for (const format of formats) {
  test(`an app can be created, read, listed, changed and removed (${format})`, async () => {
    const { apps } = api.as('admin', format)
    const title = `Roku & co (${format})`
    const made = await apps.create({ title, version: '1.0', settings: { color: 'red', tabs: [1, 2] } })
    assert.deepEqual([made.active, made.first_page, made.public_client], [true, null, false])
    assert.match(made.app_key, /^zk_app_[0-9a-f]{40}$/)
    assert.match(made.client_id, /^[0-9a-f]{32}$/)
    assert.match(made.client_secret, /^zs_client_[0-9a-f]{40}$/)
    assert.deepEqual(await apps.get(made._id), made)
    assert.deepEqual((await apps.list({ title })).response, [made])

    const changed = await apps.update(made._id, { version: '1.1' })
    assert.deepEqual(changed, { ...made, version: '1.1', updated_at: changed.updated_at })
    await apps.remove(made._id)
    const missing = { status: 404, message: 'App not found' }
    await assert.rejects(apps.get(made._id), missing)
    await assert.rejects(apps.update(made._id, { title: 'x' }), missing)
    await assert.rejects(apps.remove(made._id), missing)
    await assert.rejects(apps.rotate(made._id), missing)
  })

  test(`credentials cannot be chosen or changed by hand (${format})`, async () => {
    const { apps } = api.as('admin', format)
    const forged = { app_key: 'mine', client_id: 'mine', client_secret: 'mine' }
    const made = await apps.create({ title: 'Forged', ...forged } as never)
    const changed = await apps.update(made._id, forged as never)
    assert.deepEqual(changed, { ...made, updated_at: changed.updated_at })
    assert.ok(![made.app_key, made.client_id, made.client_secret].includes('mine'))
    assert.equal(await status('mine'), 401)
  })

  test(`an app needs a title, and errors name the invalid fields (${format})`, async () => {
    const { apps } = api.as('admin', format)
    await assert.rejects(apps.create({} as never), { status: 422, errors: { title: ['is required'] } })
    const { _id } = await apps.create({ title: 'Ruled' })
    await assert.rejects(apps.update(_id, { per_page: 101 }), {
      errors: { per_page: ['must be at most 100'] },
    })
    await assert.rejects(apps.rotate(_id, { overlap: -1 }), { errors: { overlap: ['must be at least 0'] } })
  })

  test(`rotation replaces key and secret, and the old key works for a while (${format})`, async () => {
    const { apps } = api.as('admin', format)
    const made = await apps.create({ title: 'Rotated' })
    const rotated = await apps.rotate(made._id)
    assert.equal(rotated.client_id, made.client_id)
    assert.notEqual(rotated.app_key, made.app_key)
    assert.notEqual(rotated.client_secret, made.client_secret)
    assert.deepEqual(await apps.get(made._id), rotated)
    const { response } = await api.as('admin').events.list({ type: 'app.rotated', record_id: made._id })
    assert.equal(response.length, 1)
    assert.deepEqual([await status(made.app_key), await status(rotated.app_key)], [200, 200])
  })

  test(`rotation without an overlap ends the old key at once (${format})`, async () => {
    const { apps } = api.as('admin', format)
    const made = await apps.create({ title: 'Rotated at once' })
    assert.equal(await status(made.app_key), 200)
    const rotated = await apps.rotate(made._id, { overlap: 0 })
    assert.deepEqual([await status(made.app_key), await status(rotated.app_key)], [401, 200])
  })

  test(`a rotation without an overlap also ends the keys that an earlier one left working (${format})`, async () => {
    const { apps } = api.as('admin', format)
    const first = await apps.create({ title: 'Twice' })
    const second = await apps.rotate(first._id, { overlap: 3600 })
    const third = await apps.rotate(first._id, { overlap: 0 })
    const keys = [first, second, third].map(({ app_key }) => app_key)
    assert.deepEqual(await Promise.all(keys.map(status)), [401, 401, 200])
  })

  test(`the key of an inactive app does not work until the app is active again (${format})`, async () => {
    const { apps } = api.as('admin', format)
    const { _id, app_key } = await apps.create({ title: 'Paused' })
    assert.equal(await status(app_key), 200)
    await apps.update(_id, { active: false })
    assert.equal(await status(app_key), 401)
    await apps.update(_id, { active: true })
    assert.equal(await status(app_key), 200)
  })

  test(`a removed app takes its keys with it (${format})`, async () => {
    const { apps } = api.as('admin', format)
    const made = await apps.create({ title: 'Removed' })
    const { app_key } = await apps.rotate(made._id)
    assert.deepEqual([await status(made.app_key), await status(app_key)], [200, 200])
    await apps.remove(made._id)
    assert.deepEqual([await status(made.app_key), await status(app_key)], [401, 401])
  })

  test(`lists include inactive apps: only their credentials stop working (${format})`, async () => {
    const { apps } = api.as('admin', format)
    const { _id } = await apps.create({ title: 'Asleep', active: false })
    assert.equal((await apps.list({ id: _id })).response.length, 1)
    assert.equal((await apps.list({ id: _id, active: true })).response.length, 0)
  })
}

test('an old key ends when its overlap is over', async () => {
  const { apps } = api.as('admin')
  const made = await apps.create({ title: 'Short overlap' })
  await apps.rotate(made._id, { overlap: 1 })
  assert.equal(await status(made.app_key), 200)
  await pause(2000)
  assert.equal(await status(made.app_key), 401)
})

/** Returns secrets that must never appear in plain text. */
async function secrets(): Promise<string[]> {
  const { apps } = api.as('admin')
  const made = await apps.create({ title: 'Secretive' })
  const rotated = await apps.rotate(made._id)
  const channels = await Promise.all(
    [api.channel, api.other].map(({ channel }) => listKeys(api.database.db, api.parts.sealer, channel._id)),
  )
  const keys = channels.flat().map(({ key }) => key)
  return [...keys, ...[made, rotated].flatMap(({ app_key, client_secret }) => [app_key, client_secret])]
}

test('no secret reaches the log, no matter where it was sent', async () => {
  const all = await secrets()
  for (const secret of all)
    for (const name of ['api_key', 'app_key', 'access_token', 'client_secret']) {
      await ask(`${api.url}/videos?${name}=${secret}&page=x`)
      await ask(`${api.url}/videos`, 'xml', { headers: { 'x-api-key': secret } })
      await ask(`${api.url}/nothing?${name}=${secret}`, 'json', {
        headers: { authorization: `Bearer ${secret}` },
      })
      await ask(`${api.url}/videos`, 'json', {
        method: 'POST',
        body: new URLSearchParams({ [name]: secret }),
      })
    }
  const text = logged.join('')
  assert.match(text, /"path":"\/videos"/)
  for (const secret of all) assert.ok(!text.includes(secret), `${secret.slice(0, 12)}… is in the log`)
})

test('no key or secret is in the database in plain text', async () => {
  const all = await secrets()
  const { db } = api.database
  const tables = await db<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')
  `
  let dump = ''
  for (const { name } of tables) {
    const rows = await db<{ row: string }[]>`select t::text as row from ${db.unsafe(name)} as t`
    dump += rows.map(({ row }) => row).join('\n')
  }
  assert.match(dump, /Secretive/)
  for (const secret of all)
    for (const form of ['utf8', 'hex', 'base64'] as const)
      assert.ok(
        !dump.includes(Buffer.from(secret).toString(form)),
        `${secret.slice(0, 12)}… is in the database`,
      )
})

test('a value outside of a fixed set is refused with those that are taken, and the likely one', async () => {
  const { apps, videos, plans, program_guides } = api.as('admin')
  const period = { interval: 'month', interval_count: 1, entitlement_type: 'global' } as const
  const plan = { name: 'Monthly', amount: '5', ...period } as const
  const guide = { name: 'Guide', url: 'https://example.com/guide.xml', time_zone: 'UTC' }
  const language = 'must be a language by its code, such as en, de or pt-BR, or by its English name'
  const cases = [
    [() => apps.create({ title: 'x', theme: 'purple' as never }), 'theme', 'must be one of light, dark'],
    [
      () => apps.create({ title: 'x', theme: 'drak' as never }),
      'theme',
      'must be one of light, dark (did you mean dark?)',
    ],
    [
      () => apps.create({ title: 'x', theme: { toString: null } as never }),
      'theme',
      'must be one of light, dark',
    ],
    [() => videos.create({ title: 'x', language: 'klingonish' }), 'language', language],
    [
      () => videos.create({ title: 'x', language: 'Germann' }),
      'language',
      `${language} (did you mean German?)`,
    ],
    [() => program_guides.create({ ...guide, language: ['en', 'elvish'] }), 'language', language],
    [
      () => plans.create({ ...plan, currency: 'XYZ' }),
      'currency',
      'must be the code of a currency, such as USD',
    ],
  ] as const
  for (const [create, field, why] of cases)
    await assert.rejects(create, { status: 422, errors: { [field]: [why] } }, why)
  assert.equal((await videos.create({ title: 'x', language: 'German' })).language, 'de')
  assert.equal((await plans.create({ ...plan, currency: 'usd' })).currency, 'USD')
})
