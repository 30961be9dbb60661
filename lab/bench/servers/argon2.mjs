/** The yardstick of sign-ins: nothing but argon2id on every core for a while. Prints verifications per second. Plain JavaScript, because it runs in threads. */
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { verifySync } from '@node-rs/argon2'

function verifyFor({ hash, password, ms }) {
  const until = performance.now() + ms
  let count = 0
  while (performance.now() < until) {
    if (!verifySync(hash, password)) throw new Error('The password is wrong')
    count += 1
  }
  return count
}

const inThread = (task) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: task })
    worker.once('message', resolve).once('error', reject)
  })

if (isMainThread) {
  const task = JSON.parse(process.argv[2])
  const counts = await Promise.all(Array.from({ length: availableParallelism() }, () => inThread(task)))
  console.log(counts.reduce((a, b) => a + b, 0) / (task.ms / 1000))
} else parentPort.postMessage(verifyFor(workerData))
