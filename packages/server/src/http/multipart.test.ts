import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { readParts } from './multipart.js'

const headers = { 'content-type': 'multipart/form-data; boundary=b' }
const part = (disposition: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`
const read = (body: string, given = headers) => readParts(given, Buffer.from(body))

test('fields come in their order, with line ends and characters as they were sent', async () => {
  const body = `${part('name="a"', 'é\r\n🎬')}${part('name="a[]"', '')}--b--\r\n`
  assert.deepEqual(await read(body), [
    ['a', 'é\r\n🎬'],
    ['a[]', ''],
  ])
})

test('files, too many fields and broken bodies are refused', async () => {
  const refused = [
    `${part('name="f"; filename="x"', 'a file')}--b--\r\n`,
    `${part('name="a"', '1').repeat(1001)}--b--\r\n`,
    part('name="a"', 'no end'),
    'garbage',
  ]
  for (const body of refused) await assert.rejects(read(body), { status: 422 }, body.slice(0, 60))
  await assert.rejects(read('', { 'content-type': 'multipart/form-data' }), { status: 422 })
})

test('a file that breaks off is refused and ends nothing but its request', async () => {
  for (const body of [
    part('name="f"; filename="x"', 'no end'),
    '--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n',
  ])
    await assert.rejects(read(body), { status: 422 })
  await turn()
})
