import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
const videos: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Alien: { Genre: ['Horror', 'Space'], Mood: ['Dark'] },
  Airplane: { Genre: ['Comedy'], Mood: ['Light'] },
  Spaceballs: { Genre: ['Comedy', 'Space'], Mood: ['Light', 'Silly'] },
  'The Thing': { Genre: ['Horror'], Mood: ['Dark', 'Cold'] },
  Untagged: {},
}

before(async () => {
  api = await startApi()
  for (const [title, tags] of Object.entries(videos)) {
    const { _id } = await api.as('admin').videos.create({ title })
    const categories = Object.entries(tags).map(([name, value]) => ({
      _id,
      category_id: _id,
      title: name,
      value,
    }))
    const { db } = api.database
    await db`update videos set categories = ${JSON.stringify(categories)}::text::jsonb where _id = ${_id}`
  }
})
after(() => api.stop())

const cases: readonly (readonly [query: string, titles: string])[] = [
  ['category[Genre]=Horror', 'Alien, The Thing'],
  ['category[Genre][]=Horror', 'Alien, The Thing'],
  ['category[Genre][]=Horror&category[Genre][]=Comedy', 'Airplane, Alien, Spaceballs, The Thing'],
  ['category[Genre]=Comedy&category[Mood]=Silly', 'Spaceballs'],
  ['category[Genre]=horror', ''],
  ['category[Mood]=Horror', ''],
  ['category[Nothing]=Horror', ''],
  ['category_or[Genre]=Space&category_or[Mood]=Cold', 'Alien, Spaceballs, The Thing'],
  ['category_or[Genre][]=Space&category_or[Genre][]=Horror', 'Alien, Spaceballs, The Thing'],
  ['category_and[Genre][]=Space&category_and[Genre][]=Comedy', 'Spaceballs'],
  ['category_and[Genre]=Horror&category_and[Mood]=Dark', 'Alien, The Thing'],
  ['category_and[Genre][]=Horror&category_and[Mood][]=Dark&category_and[Mood][]=Cold', 'The Thing'],
  ['category![Genre]=Horror', 'Airplane, Spaceballs, Untagged'],
  ['category![Genre][]=Horror&category![Genre][]=Space', 'Airplane, Untagged'],
  ['category![Genre]=Horror&category![Mood]=Silly', 'Airplane, Untagged'],
  ['category[Genre]=Comedy&category![Mood]=Silly', 'Airplane'],
  ['category[Genre]=', 'Airplane, Alien, Spaceballs, The Thing, Untagged'],
  ['category=', 'Airplane, Alien, Spaceballs, The Thing, Untagged'],
]

for (const format of formats)
  for (const [query, titles] of cases)
    test(`${query} finds ${titles || 'nothing'} (${format})`, async () => {
      const { body } = await ask(
        `${api.url}/videos?sort=title&api_key=${api.channel.keys.read_only}&${query}`,
        format,
      )
      assert.equal(body.response.map(({ title }) => title).join(', '), titles)
    })

for (const query of ['category=Horror', 'category[]=Horror', 'category[Genre][x]=Horror'])
  test(`${query} is rejected, and the error says how to write a category`, async () => {
    const { status, body } = await ask(`${api.url}/videos?api_key=${api.channel.keys.admin}&${query}`)
    assert.deepEqual([status, Object.keys(body.errors)], [422, ['category']])
  })

test('the SDK writes categories the same way', async () => {
  const { response } = await api.as('read_only').videos.list({ category_and: { Genre: ['Space', 'Comedy'] } })
  assert.deepEqual(
    response.map(({ title, categories }) => [title, categories[0]?.value]),
    [['Spaceballs', ['Comedy', 'Space']]],
  )
})
