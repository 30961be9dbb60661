/**
 * Rules that exist both in SQL, for many rows at once, and in TypeScript, for one request. The tests run both on the
 * same random input. test/api/content-rule-profiles.test.ts compares content rules.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { planSwitches } from '../packages/contract/src/schedule.js'
import { type Database, openDatabase } from '../packages/server/src/db/database.js'
import { formatNames } from '../packages/server/src/media/formats.js'
import { mayEmbed } from '../packages/server/src/playback/embed-domains.js'
import { cloneDatabase } from './support/database.js'
import { seededRandom } from './support/random.js'

const site_id = '0'.repeat(24)
let database: Database
let drop: () => Promise<void>
before(async () => {
  const clone = await cloneDatabase()
  drop = clone.drop
  database = openDatabase({ connection: clone.connection, connections: 1 })
  await database.db`insert into channels (_id, title) values (${site_id}, 'One')`
})
after(async () => {
  await database.close()
  await drop()
})

const oneOf = <T>(random: () => number, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T

test('switch_due() and planSwitches() agree about what is active, and when it changes next', async () => {
  const random = seededRandom('switches')
  await database.transaction(async (tx) => {
    // A cast to timestamptz(3) would round, possibly into the future.
    const [{ now } = { now: new Date() }] = await tx<
      { now: Date }[]
    >`select date_trunc('milliseconds', now()) as now`
    // Few distinct moments, so that many are equal.
    const moment = () =>
      random() < 0.25 ? null : new Date(now.getTime() + Math.floor(random() * 7 - 3) * 60_000)
    const rows = Array.from({ length: 400 }, (_, index) => ({
      _id: index.toString(16).padStart(24, '0'),
      site_id,
      title: 'A film',
      friendly_title: `film-${index}`,
      active: random() < 0.5,
      enable_at: moment(),
      disable_at: moment(),
    })).filter(({ enable_at, disable_at }) => [enable_at, disable_at].some((at) => at && at <= now))
    await tx`insert into videos ${tx(rows.map((row) => ({ ...row, switches_at: new Date(now.getTime() - 1) })) as never)}`
    const [due] = await tx<{ switched: number }[]>`select switch_due() as switched`
    assert.equal(due?.switched, rows.length)

    const switched = await tx`select _id, active, switches_at from videos order by _id`
    assert.deepEqual(
      switched.map(({ _id, active, switches_at }) => ({ _id, active, switches_at })),
      rows.map(({ _id, ...row }) => ({ _id, ...planSwitches(row, true, undefined, now) })),
    )
  })
})

test('wanted_formats() knows every format, and lets a video override its channel', async () => {
  const random = seededRandom('formats')
  for (let round = 0; round < 40; round += 1) {
    const channel = Object.fromEntries(formatNames.map((name) => [name, random() < 0.5]))
    const own = Object.fromEntries(
      formatNames.filter(() => random() < 0.5).map((name) => [name, random() < 0.5]),
    )
    await database.db`update formats set ${database.db(channel as never)} where _id = ${site_id}`
    const [row] = await database.db<{ wanted: string[] }[]>`
      select wanted_formats(${site_id}, ${own as never}::jsonb) as wanted
    `
    assert.deepEqual(
      row?.wanted,
      formatNames.filter((name) => own[name] ?? channel[name]),
    )
  }
})

test('is_within_domain() and mayEmbed() agree about hosts and ports', async () => {
  const random = seededRandom('domains')
  const hosts = [
    'example.com',
    'www.example.com',
    'a.b.example.com',
    'anexample.com',
    'example.org',
    'localhost',
  ]
  const domains = hosts.flatMap((host) => [host, `*.${host}`, host.toUpperCase()])
  const cases = Array.from({ length: 500 }, (_, place) => ({
    place,
    domain: oneOf(random, domains) + oneOf(random, ['', '', ':443', ':8080']),
    host: oneOf(random, hosts),
    port: oneOf(random, ['443', '8080', '3000']),
  }))
  const rows = await database.db<{ within: boolean }[]>`
    select is_within_domain(domain, host, port) as within
    from jsonb_to_recordset(${cases as never}::jsonb) as tried (place integer, domain text, host text, port text)
    order by place
  `
  assert.deepEqual(
    rows.map(({ within }) => within),
    cases.map(({ domain, host, port }) => {
      const origin = `${port === '443' ? 'https' : 'http'}://${host}:${port}`
      return mayEmbed([domain], { origin }, 'https://ours.example')
    }),
  )
  assert.ok(rows.some(({ within }) => within))
})
