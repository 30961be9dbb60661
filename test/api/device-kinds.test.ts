import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

for (const format of formats) {
  test(`every channel has the same kinds of device, with its own ids (${format})`, async () => {
    const { devices, device_categories: categories } = api.as('app', format)
    const { response } = await devices.list({ per_page: 100 })
    assert.equal(response.length, 17)
    assert.deepEqual(
      response.map(({ name }) => name),
      response.map(({ name }) => name).sort(),
    )
    const roku = response.find(({ name }) => name === 'Roku')
    assert.ok(roku)
    assert.deepEqual(await devices.get(roku._id), roku)
    const category = await categories.get(roku.device_category_id)
    assert.deepEqual([category.name, category.image_file_name], ['TV box', null])
    assert.equal((await devices.list({ device_category_id: category._id })).response.length, 5)

    const theirs = api.other.as('read_only', format)
    assert.equal((await theirs.devices.list({ per_page: 100 })).response.length, 17)
    await assert.rejects(theirs.devices.get(roku._id), { status: 404, message: 'Device not found' })
    await assert.rejects(theirs.device_categories.get(category._id), {
      status: 404,
      message: 'Device category not found',
    })
    await assert.rejects(theirs.devices.list({ device_category_id: category._id }), { status: 404 })
  })

  test(`kinds of device are found by name, title and words (${format})`, async () => {
    const { devices, device_categories: categories } = api.as('read_only', format)
    const names = async (query: object) => (await devices.list(query)).response.map(({ name }) => name)
    assert.deepEqual(await names({ title: 'Roku' }), ['Roku'])
    assert.deepEqual(await names({ name: ['Roku', 'Xumo'], order: 'desc' }), ['Xumo', 'Roku'])
    assert.deepEqual(await names({ q: 'xbox' }), ['Xbox', 'Xbox (HTML5)'])
    const page = await categories.list({ per_page: 2, page: 1 })
    assert.deepEqual([page.response.length, page.pagination.pages], [2, 3])
    assert.equal((await categories.list({ q: 'smart' })).response[0]?.name, 'Smart TV')
  })
}

test('kinds of device cannot be created, changed or removed', async () => {
  const [device] = (await api.as('admin').devices.list()).response
  for (const [method, path] of [
    ['POST', '/devices'],
    ['PUT', `/devices/${device?._id}`],
    ['DELETE', `/device_categories/${device?.device_category_id}`],
  ] as const) {
    const { status } = await ask(`${api.url}${path}?api_key=${api.channel.keys.admin}`, 'json', { method })
    assert.equal(status, 405)
  }
})
