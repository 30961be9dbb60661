import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
let winterId: string
before(async () => {
  api = await startApi()
  const { videos } = api.as('admin')
  const winter = await videos.create({ title: 'Winter in the Alps', keywords: ['snow', 'Ski jumping'] })
  winterId = winter._id
  await videos.create({ title: 'Summer in Über-Tal', keywords: ['sun'], source_id: 'EP-0042' })
  await videos.create({ title: 'Winter sports', source_id: 'show/77' })
  await videos.create({ title: 'Winter draft', active: false })
  const { zobject_types, zobjects } = api.as('admin')
  await zobject_types.create({ title: 'skiers' })
  for (const [title, active] of [
    ['Matthias Berg', true],
    ['Unnamed Skier', false],
  ] as const) {
    const { _id } = await zobjects.create({ zobject_type: 'skiers', title, active })
    await zobjects.addVideos(_id, { zobject_type: 'skiers', video_id: [winterId] })
  }
  const gone = await videos.create({ title: 'Winter gone' })
  await videos.remove(gone._id)
  await api.other.as('admin').videos.create({ title: 'Winter elsewhere' })
})
after(() => api.stop())

async function titles(
  query: string,
  format: 'json' | 'xml',
  key = api.channel.keys.admin,
): Promise<unknown[]> {
  const { body, status } = await ask(`${api.url}/videos?sort=title&api_key=${key}&${query}`, format)
  assert.equal(status, 200, body.message)
  return body.response.map(({ title }) => title)
}

for (const format of formats) {
  const finds = (about: string, q: () => string, expected: readonly string[]) =>
    test(`q finds ${about} (${format})`, async () => {
      assert.deepEqual(await titles(`q=${encodeURIComponent(q())}`, format), expected)
    })
  finds('a word of the title', () => 'alps', ['Winter in the Alps'])
  finds('whatever the case', () => 'ALPS', ['Winter in the Alps'])
  finds('the beginning of a word', () => 'win', ['Winter in the Alps', 'Winter sports'])
  finds('not the middle of a word', () => 'inter', [])
  finds('several words in any order', () => 'sports winter', ['Winter sports'])
  finds('only records that have every word', () => 'winter sun', [])
  finds('a keyword', () => 'snow', ['Winter in the Alps'])
  finds('a word within a keyword', () => 'jumping', ['Winter in the Alps'])
  finds('words of title and keyword together', () => 'alps ski', ['Winter in the Alps'])
  finds('the source id', () => 'EP-0042', ['Summer in Über-Tal'])
  finds('the beginning of the source id', () => 'ep-00', ['Summer in Über-Tal'])
  finds('a source id with a slash', () => 'show/77', ['Winter sports'])
  finds('the title of a zobject', () => 'berg snow', ['Winter in the Alps'])
  finds('no zobject that is hidden', () => 'unnamed', [])
  finds('the id', () => winterId, ['Winter in the Alps'])
  finds('nothing for an id that is not there', () => 'f'.repeat(24), [])
  finds('letters with marks', () => 'über', ['Summer in Über-Tal'])
  finds('no harm in signs of a query language', () => "alps & ! | ( ' :* \\ <-> %", ['Winter in the Alps'])

  test(`q joins the filters and the pages (${format})`, async () => {
    assert.deepEqual(await titles('q=winter&title!=Winter sports', format), ['Winter in the Alps'])
    const { body } = await ask(
      `${api.url}/videos?q=winter&per_page=1&api_key=${api.channel.keys.admin}`,
      format,
    )
    assert.deepEqual([body.pagination.pages, body.pagination.next], [2, 1])
  })

  test(`active is true unless asked otherwise, for the admin key too (${format})`, async () => {
    assert.deepEqual(await titles('q=winter', format), ['Winter in the Alps', 'Winter sports'])
    assert.deepEqual(await titles('q=winter&active=', format), ['Winter in the Alps', 'Winter sports'])
    assert.deepEqual(await titles('q=winter&active=true', format), ['Winter in the Alps', 'Winter sports'])
  })

  test(`the admin key may ask for inactive records or for all (${format})`, async () => {
    assert.deepEqual(await titles('active=false', format), ['Winter draft'])
    const all = ['Summer in Über-Tal', 'Winter draft', 'Winter in the Alps', 'Winter sports']
    assert.deepEqual(await titles('active=all', format), all)
  })

  test(`nobody else may ask for inactive records (${format})`, async () => {
    for (const active of [false, 'all'] as const)
      for (const who of ['read_only', 'app'] as const)
        await assert.rejects(api.as(who, format).videos.list({ active }), {
          status: 403,
          message: 'Only the admin key may list videos that are not active.',
        })
    assert.equal((await titles('active=true', format, api.channel.keys.read_only)).length, 3)
  })

  test(`deleted=true lists what was deleted, to the admin key only (${format})`, async () => {
    assert.deepEqual(await titles('deleted=true', format), ['Winter gone'])
    assert.deepEqual(await titles('deleted=true&q=alps', format), [])
    assert.equal((await titles('deleted=false', format)).length, 3)
    const { status } = await ask(`${api.url}/videos?deleted=true&app_key=${api.channel.app_key}`, format)
    assert.equal(status, 403)
  })
}
