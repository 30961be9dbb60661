/** A bare sign-in: an HTTP server that does nothing but compare a password on every core. */
import { createServer } from 'node:http'
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

function serve(port) {
  const idle = []
  const line = []
  const next = () => {
    if (idle.length === 0 || line.length === 0) return
    const thread = idle.pop()
    const reply = line.shift()
    thread.once('message', (right) => {
      idle.push(thread)
      reply.writeHead(right ? 200 : 401, { 'content-type': 'application/json' }).end(`{"right":${right}}`)
      next()
    })
    thread.postMessage('a password of the bench')
  }
  for (let count = 0; count < availableParallelism(); count += 1)
    idle.push(new Worker(new URL(import.meta.url)))
  createServer((request, reply) => {
    request.resume().on('end', () => {
      line.push(reply)
      next()
    })
  }).listen(port, '127.0.0.1')
}

if (isMainThread) serve(Number(process.argv[2]))
else {
  const stored = hashSync('a password of the bench', { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  parentPort.on('message', (password) => parentPort.postMessage(verifySync(stored, password)))
}
