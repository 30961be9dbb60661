/** Workers as separate processes: started, restarted, and stopped with their server. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../support/patience.js'
import { workersOf } from '../support/processes.js'
import {
  isAlive,
  launch,
  makeGround,
  type RunningServer,
  runCommand,
  startServer,
} from '../support/server-process.js'

let ground: Awaited<ReturnType<typeof makeGround>>
let server: RunningServer
before(async () => {
  ground = await makeGround()
  server = await startServer({ ...ground.env, LOG_LEVEL: 'debug' })
})
after(async () => {
  await server.stop()
  await ground.remove()
})

const runningWorkers = () => server.output().stdout.match(/a worker is running/g)?.length ?? 0

test('a worker without a server says what to do', async () => {
  const { env, remove } = await makeGround()
  const { code, stderr } = await runCommand(['worker'], env)
  assert.equal(code, 1)
  assert.match(stderr, /^No server runs on the folder .*\. Start one with `zoetrope start`/)
  await remove()
})

test('the server runs a worker beside it, and starts it again when it is killed', async () => {
  await until('the start of a worker', () => runningWorkers() === 1)
  const [first] = await workersOf(server.pid)
  assert.ok(first)
  process.kill(first, 'SIGKILL')
  await until('the start of another', () => runningWorkers() === 2)
  const second = await workersOf(server.pid)
  assert.equal(second.length, 1)
  assert.notEqual(second[0], first)
  assert.match(
    server.output().stdout,
    /"signal":"SIGKILL".*a worker has ended unexpectedly; it is started again/,
  )
})

test('more workers join the running server, open no port, and stop by themselves', async () => {
  const more = launch(['worker'], { ...ground.env, ENCODERS: '1', LOG_FORMAT: 'json' })
  await until('the start of the worker', () => more.output().stdout.includes('a worker is running'))
  const [line] = more.output().stdout.split('\n')
  assert.deepEqual(
    { ...(JSON.parse(line ?? '') as object), time: '', worker: '' },
    { level: 'info', time: '', from: 'worker', worker: '', encoders: 1, msg: 'a worker is running' },
  )
  more.signal('SIGTERM')
  const { code, signal, stderr } = await more.ended
  assert.deepEqual({ code, signal, stderr }, { code: 0, signal: null, stderr: '' })
})

test('a worker ends when its server is killed', async () => {
  const [worker] = await workersOf(server.pid)
  assert.ok(worker)
  server.signal('SIGKILL')
  await server.ended
  await until('the end of the worker', () => !isAlive(worker))
  server = await startServer({ ...ground.env, LOG_LEVEL: 'debug' })
})

test('Ctrl-C ends the server with its worker, cleanly', async () => {
  await until('the start of a worker', () => runningWorkers() === 1)
  const [worker] = await workersOf(server.pid)
  assert.ok(worker)
  server.signalGroup('SIGINT')
  const { code, signal, stderr } = await server.ended
  assert.deepEqual({ code, signal, stderr }, { code: 0, signal: null, stderr: '' })
  assert.equal(isAlive(worker), false)
  server = await startServer({ ...ground.env, WORKERS: '0' })
  assert.deepEqual(await workersOf(server.pid), [])
})
