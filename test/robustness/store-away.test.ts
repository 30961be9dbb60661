/** The short form of `npm run lab -- chaos-outage`, which takes the S3 store away for ten minutes. */
import { after, before, test } from 'node:test'
import { endureOutage, openStage } from '../support/store-outage.js'

let stage: Awaited<ReturnType<typeof openStage>>
before(async () => {
  stage = await openStage()
})
after(() => stage.stop())

test('while the store refuses connections nothing is lost or blamed, and everything catches up', async () => {
  await endureOutage(stage, 'refuses', 0)
})

test('while the store hangs every request ends, and everything catches up', async () => {
  await endureOutage(stage, 'hangs', 0)
})
