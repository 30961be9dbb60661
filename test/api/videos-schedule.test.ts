import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { aroundMoment } from '../support/moments.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const soon = (ms: number) => new Date(Date.now() + ms)

/** The result of one request, with the times before and after it. */
interface Sight {
  readonly from: number
  readonly to: number
  readonly seen: boolean
}

/** Polls until shortly after `at`. */
async function watch(at: Date, look: () => Promise<boolean>): Promise<Sight[]> {
  const sights: Sight[] = []
  while (Date.now() < at.getTime() + 60) {
    const from = Date.now()
    const seen = await look()
    sights.push({ from, to: Date.now(), seen })
  }
  const from = Date.now()
  return [...sights, { from, to: Date.now(), seen: await look() }]
}

for (const format of formats)
  for (const [name, becomes] of [
    ['enable_at', true],
    ['disable_at', false],
  ] as const) {
    test(`${name} switches exactly on time, in records, lists and counts (${format})`, async () => {
      const at = soon(700)
      const { _id } = await api.as('admin', format).videos.create({ title: `${name} soon`, [name]: at })
      const [admin, reader] = [api.as('admin', format).videos, api.as('read_only', format).videos]
      const looks = [
        async () => (await admin.get(_id)).active,
        async () =>
          reader.get(_id).then(
            () => true,
            () => false,
          ),
        async () => (await admin.list({ id: _id, active: true })).pagination.pages === 1,
        async () => (await admin.list({ id: _id, active: false })).pagination.pages === 0,
        async () => (await reader.list({ per_page: 100 })).response.some((video) => video._id === _id),
      ]
      const seen = (await Promise.all(looks.map((look) => watch(at, look)))).flat()
      for (const sight of seen.filter(({ to }) => to < at.getTime())) assert.equal(sight.seen, !becomes)
      for (const sight of seen.filter(({ from }) => from >= at.getTime())) assert.equal(sight.seen, becomes)
    })
  }

test('switches that follow each other closely each happen on time', async () => {
  const { videos } = api.as('admin')
  let volleys = 0
  await aroundMoment(1000, async ({ at: first, before, passed }) => {
    volleys += 1
    const genre = `volley ${volleys}`
    const times = Array.from({ length: 30 }, (_, n) => new Date(first.getTime() + n * 9))
    await before(() =>
      Promise.all(times.map((at) => videos.create({ title: 'Volley', genre, enable_at: at }))),
    )
    await passed()
    const due = (now: number) => times.filter((at) => at.getTime() <= now).length
    while (due(Date.now()) < times.length) {
      const least = due(Date.now())
      const { pagination } = await api.as('read_only').videos.list({ genre, per_page: 1 })
      assert.ok(
        pagination.pages >= least && pagination.pages <= due(Date.now()),
        `${pagination.pages}, not ${least}`,
      )
    }
    assert.equal((await videos.list({ genre, per_page: 1 })).pagination.pages, times.length)
  })
})

for (const format of formats) {
  test(`a video with a future enable_at is hidden until then, with any active (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const made = await videos.create({ title: 'Later', enable_at: soon(60_000), active: true })
    assert.equal(made.active, false)
    await assert.rejects(api.as('read_only', format).videos.get(made._id), { status: 404 })
    await assert.rejects(api.as('app', format).videos.get(made._id), { status: 404 })
  })

  test(`setting active overrides a schedule until its next time (${format})`, async () => {
    const { videos } = api.as('admin', format)
    await aroundMoment(800, async ({ at: disable_at, before, passed }) => {
      const { _id } = await videos.create({ title: 'Early', enable_at: soon(600_000), disable_at })
      await before(async () => {
        assert.equal((await videos.update(_id, { active: true })).active, true)
        assert.equal((await api.as('read_only', format).videos.get(_id)).title, 'Early')
      })
      await passed()
      assert.equal((await videos.get(_id)).active, false)
    })
  })

  test(`a removed schedule no longer switches (${format})`, async () => {
    const { videos } = api.as('admin', format)
    await aroundMoment(500, async ({ at, before, passed }) => {
      const { _id } = await videos.create({ title: 'Kept', disable_at: at })
      const { active, disable_at } = await before(() => videos.update(_id, { disable_at: null }))
      assert.deepEqual([active, disable_at], [true, null])
      await passed()
      assert.equal((await videos.get(_id)).active, true)
    })
  })

  const past = new Date('2024-01-01')
  const schedules = {
    none: {},
    'hidden by hand': { active: false },
    'enabled later': { enable_at: soon(60_000) },
    'enabled already': { enable_at: past },
    'disabled already': { disable_at: past },
    'enabled, then disabled later': { enable_at: past, disable_at: soon(60_000) },
    'disabled, then enabled later': { disable_at: past, enable_at: soon(60_000) },
  }
  for (const [about, schedule] of Object.entries(schedules))
    test(`a whole record written back changes nothing, schedule: ${about} (${format})`, async () => {
      const { videos } = api.as('admin', format)
      const { _id } = await videos.create({ title: 'Whole', ...schedule })
      const read = await videos.get(_id)
      const written = await videos.update(_id, read)
      assert.deepEqual(written, { ...read, updated_at: written.updated_at })
      assert.deepEqual(await videos.get(_id), written)
    })

  test(`a switch that fell due while a video was deleted shows when it is restored (${format})`, async () => {
    const { videos } = api.as('admin', format)
    await aroundMoment(400, async ({ at, before, passed }) => {
      const { _id } = await videos.create({ title: 'Away', disable_at: at })
      await before(() => videos.remove(_id))
      await passed()
      assert.equal((await videos.restore(_id)).active, false)
      assert.equal((await videos.get(_id)).active, false)
    })
  })
}
