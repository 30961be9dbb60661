/** A worker process that starts a job and never finishes it: `lingering-worker.ts <url of the database>`. */
import { startWorker } from '../../packages/server/src/queue/worker.js'

startWorker({
  connectionUrl: process.argv[2] ?? '',
  jobs: [
    {
      name: 'linger',
      attempts: 1,
      run: () => {
        process.stdout.write('begun\n')
        return new Promise(() => {})
      },
    },
  ],
  context: undefined as never,
  concurrency: 1,
  rhythm: { beatMs: 50, silenceMs: 500 },
  onError: (error) => console.error(error),
})
