import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

for (const format of formats) {
  test(`a video can be created, read, changed, removed and restored (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const made = await videos.create({
      title: 'Winter & <Sun>',
      keywords: ['snow', 'ski'],
      purchase_price: '4.90',
    })
    assert.equal(made.active, true)
    assert.equal(made.friendly_title.startsWith('winter-sun'), true)

    const changed = await videos.update(made._id, { season: 7 })
    assert.deepEqual(changed, { ...made, season: 7, updated_at: changed.updated_at })
    assert.deepEqual(await videos.get(made._id), changed)

    await videos.remove(made._id)
    await assert.rejects(videos.get(made._id), { status: 404, message: 'Video not found' })
    const restored = await videos.restore(made._id)
    assert.deepEqual(restored, { ...changed, updated_at: restored.updated_at })
  })
}
