import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalog, shownFields } from '@zoetrope/contract'
import { type Format, formats, startApi, type TestApi } from '../support/api.js'
import { ask, lenient } from './ask.js'

let api: TestApi
const ids: string[] = []
before(async () => {
  api = await startApi()
  const days = [
    '2024-02-28T23:59:59.999Z',
    '2024-02-29T00:00:00.000Z',
    '2024-02-29T23:59:59.999Z',
    '2024-03-01T00:00:00Z',
  ]
  for (const [n, published_at] of days.entries()) {
    const { _id } = await api.as('admin').videos.create({ title: `Day ${n}`, published_at, episode: n })
    ids.push(_id)
  }
})
after(() => api.stop())

async function titles(query: string, format: Format): Promise<string> {
  const { body, status } = await ask(
    `${api.url}/videos?sort=title&${query}&api_key=${api.channel.keys.admin}`,
    format,
    { headers: lenient },
  )
  assert.equal(status, 200, body.message)
  return body.response.map(({ title }) => String(title).replace('Day ', '')).join('')
}

const seconds = (moment: string) => Date.parse(moment) / 1000
const cases: readonly (readonly [about: string, query: string, found: string])[] = [
  ['a moment in ISO 8601', 'published_at=2024-02-29T00:00:00.000Z', '1'],
  ['a moment without a zone, as UTC', 'published_at=2024-02-29T00:00:00', '1'],
  ['a moment with an offset', 'published_at=2024-02-29T02:00:00%2B02:00', '1'],
  ['a moment whose plus sign was not escaped', 'published_at=2024-02-29T02:00:00+02:00', '1'],
  ['a moment in seconds since 1970', `published_at=${seconds('2024-02-29T00:00:00Z')}`, '1'],
  ['a date alone, as the whole day', 'published_at=2024-02-29', '12'],
  ['a range in ISO 8601', 'published_at.gte=2024-02-29T00:00:00Z&published_at.lt=2024-03-01T00:00:00Z', '12'],
  ['a range in seconds since 1970', `published_at.gt=${seconds('2024-02-29T00:00:00Z')}`, '23'],
  ['a range by dates', 'published_at.gte=2024-02-29&published_at.lt=2024-03-01', '12'],
  ['a range open at both ends', 'published_at.gt=2024-02-28T23:59:59.999Z&published_at.lt=2024-03-01', '12'],
  ['two filters, both of which must hold', 'published_at=2024-02-29&episode=2', '2'],
  ['nothing, when a range holds nothing', 'published_at.gt=2025-01-01&published_at.lt=2024-01-01', ''],
  ['everything, when nothing is asked', '', '0123'],
  [
    'everything, when what is asked is unknown',
    'colour=red&titel=x&description=y&title.gt=z&__proto__=1',
    '0123',
  ],
  [
    'everything, when filters are empty',
    'title=&q=&published_at.gte=&id[]=&category[Genre]=&active=',
    '0123',
  ],
]

for (const format of formats) {
  for (const [about, query, found] of cases)
    test(`a list finds by ${about} (${format})`, async () => {
      assert.equal(await titles(query, format), found)
    })

  for (const wrong of ['2024-02-30', '2024-13-01', '2024-02-29T25:00', 'yesterday', '99999999999999999'])
    test(`${wrong} is no date (${format})`, async () => {
      const { status, body } = await ask(
        `${api.url}/videos?published_at.gte=${wrong}&api_key=${api.channel.keys.admin}`,
        format,
      )
      assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['published_at.gte']])
    })

  test(`id[]= finds several, and id! leaves several out (${format})`, async () => {
    assert.equal(await titles(`id[]=${ids[0]}&id[]=${ids[2]}&id[]=none`, format), '02')
    assert.equal(await titles(`_id[]=${ids[0]}&_id[]=${ids[2]}`, format), '02')
    assert.equal(await titles(`id![]=${ids[0]}&id![]=${ids[2]}`, format), '13')
    assert.equal(await titles('id=none', format), '')
  })

  test(`order=dsc means desc, as some apps write it (${format})`, async () => {
    for (const order of ['desc', 'dsc', 'DESC']) assert.equal(await titles(`order=${order}`, format), '3210')
    assert.equal(await titles('order=asc', format), '0123')
  })

  test(`response_fields keeps the fields named, and the id (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const { response } = await videos.list({
      sort: 'title',
      response_fields: ['title', 'keywords'],
      per_page: 1,
    })
    assert.deepEqual(response, [{ _id: ids[0], title: 'Day 0', keywords: [] }])
    const query = `response_fields=title,%20nonsense,episode&api_key=${api.channel.keys.admin}`
    const { body } = await ask(`${api.url}/videos/${ids[1]}?${query}`, format, { headers: lenient })
    assert.deepEqual(body.response, { _id: ids[1], title: 'Day 1', episode: 1 })
  })

  test(`without response_fields a record has every field that is defined (${format})`, async () => {
    const record = await api.as('admin', format).videos.get(String(ids[0]))
    assert.deepEqual(Object.keys(record), shownFields(catalog.videos))
    const empty = await api.as('admin', format).videos.list({ response_fields: [] })
    assert.deepEqual(Object.keys(empty.response[0] ?? {}), shownFields(catalog.videos))
  })

  test(`too many values, or values too long, are refused (${format})`, async () => {
    const many = Array.from({ length: 201 }, () => 'title[]=x').join('&')
    for (const query of [
      many,
      `title=${'x'.repeat(1001)}`,
      'title=%00',
      'title[a]=b',
      'published_at.gt[]=1&published_at.gt[]=2',
    ]) {
      const { status, body } = await ask(
        `${api.url}/videos?${query}&api_key=${api.channel.keys.admin}`,
        format,
      )
      assert.equal(status, 422, query)
      assert.equal(Object.keys(body.errors).length, 1)
    }
  })
}
